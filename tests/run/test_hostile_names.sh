#!/usr/bin/env bash
# File names that hold markup, a shell's words, control characters and line breaks: both programs read and write such files, and
# what they print and write of the names is text.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
gate=${rungbench%/*}/rungbench-gate
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
enter_folder

# shellcheck disable=SC2016  # nothing is to be expanded
name=$'<b>&"\'$(touch pwned)`touch pwned`;|\\|,{\e[31m\nred'
quick=(--suite=none --filter='^grayscale/image/cpu_tuned/hot$' --modes=hot --min-time=0.001 --threads=1 --progress=off)

# plain FILE: no control character in it, and no line that begins behind the line break of the name. How many lines there are
# otherwise is for the machine to say, which may be busy.
plain() {
    ! LC_ALL=C grep -q -e '[[:cntrl:]]' -e '^red' "$1" || fail "$1 is not plain: $(cat -v "$1")"
}
# one_line FILE
one_line() {
    plain "$1"
    [[ $(wc -l <"$1") -eq 1 ]] || fail "$1 has $(wc -l <"$1") lines instead of one: $(cat -v "$1")"
}

# gate STATUS FLAGS...
gate() {
    local rungbench=$gate
    run "$@"
}

printf 'P6 2 1 255\nabcdef' >"$name.ppm"
run 0 "${quick[@]}" --image="$name.ppm" --out="$name.csv" --json="$name.json" --samples="$name.samples" --gray-out="$name.png"
plain out
[[ -s $name.png && -s $name.samples ]] || fail 'files with hostile names are not written'
for file in "$name.csv" "$name.json"; do
    /usr/bin/python3 - "$name.ppm" "$file" <<'END' || fail "$file does not hold the name of the image"
import csv, json, sys
name, path = sys.argv[1:]
with open(path, newline="") as file:
    rows = list(csv.DictReader(file)) if path.endswith(".csv") else json.load(file)["benchmarks"]
assert rows and all(row["input"].startswith(name + " sha256:") for row in rows), rows
END
done

run 2 "${quick[@]}" --image="no $name"
one_line err
run 2 "${quick[@]}" --mnist="no $name"
one_line err
run 2 --suite="$name"
one_line err

gate 2 "no $name" "$name.csv"
one_line err
sed '1!s/,cpu,u8,/,cpu,fp32,/' "$name.csv" >other.csv
gate 2 --cpu-only "$name.csv" other.csv
one_line err
gate 0 "$name.csv" "$name.csv" --markdown=gate.md --junit=gate.xml --json=gate.json --csv=gate.csv
plain out
! LC_ALL=C grep -q '<b>' gate.md gate.xml || fail 'markup of a name is markup in a report'
/usr/bin/python3 - "$name.csv" <<'END' || fail 'gate.json or gate.xml does not hold the name of the file'
import json, sys, xml.etree.ElementTree as tree
with open("gate.json") as file:
    assert json.load(file)["base"]["name"] == sys.argv[1]
tree.parse("gate.xml")
END

[[ ! -e pwned ]] || fail 'a name was run'
end_test
