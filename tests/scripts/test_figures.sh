#!/usr/bin/env bash
# Every figure that README, docs and comments quote stands in the results that it names, and whatever looks measured names some; the
# pages of records are what their files make.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
export RUNGBENCH=$1 PYTHONUTF8=1
source_dir=$2
enter_folder
cd "$source_dir"
figures() { python3 -Bs scripts/record/figures.py "$@"; }

mapfile -t sources < <(find kernels cpu -name '*.c' -o -name '*.cu' -o -name '*.h')
figures README.md CONTRIBUTING.md docs/*.md "${sources[@]}" >"$here/said" || fail "$(cat "$here/said")"

for record in results/*/record.csv; do
    while IFS=, read -r step _ _ _ digest _; do
        if [[ $step == step && $digest != sha256 ]]; then break; fi # an older record
        [[ $step == step || $(shopt -s nullglob && zcat -f "${record%/*}/$step".{csv*,txt*} | sha256sum) == "$digest"* ]] || fail "$record: files of $step were changed"
    done <"$record"
    cp -r "${record%/*}" "$here/"
    copy=$here/$(basename "${record%/*}")
    PYTHONPATH=scripts/plot python3 -Bs scripts/record/page.py "$copy"
    cmp -s "${record%/*}/README.md" "$copy/README.md" || fail "${record%/*}/README.md: is not what scripts/record.sh makes of the files beside it"
done

# A digit that is changed, a row that is gone, and a figure without a file are found; --update mends what can be.
mkdir -p "$here"/{results/a,docs}
printf 'name,time_median_s,counters\nx/cold,2e-3,loads=7e6\ny/cold,1e-3,\n' >"$here/results/a/rows.csv"
echo '0 of 7 alarm' >"$here/results/a/rows.txt"
judged() { # STATUS FILE TEXT [FLAG]: of these words
    local status=0
    printf '%s\n' "$3" >"$here/docs/$2"
    figures ${4:+"$4"} "$here/docs/$2" >"$here/said" 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "$3: status $status, expected $1: $(cat "$here/said")"
}
# wrong FILE TEXT...: each of them is
wrong() {
    local text files=()
    for text in "${@:2}"; do
        files+=("$here/docs/${#files[@]}.$1")
        printf '%s\n' "$text" >"${files[-1]}"
    done
    ! figures "${files[@]}" >"$here/said" 2>&1 || fail "$1: nothing is wrong"
    for text in "${files[@]}"; do grep -qF "$text: " "$here/said" || fail "$(<"$text"): nothing is wrong: $(<"$here/said")"; done
}
right='[2.000 ms](../results/a/rows.csv "x/cold"), [0.50 times](../results/a/rows.csv
"x/cold over y/cold"), [7.0 million](../results/a/rows.csv "x/cold loads"), [7](../results/a/rows.txt "of (\d+) alarm"); settings: 100 us, 3 %'
judged 0 page.md "$right"
wrong page.md "${right/2.000/2.001}" "${right/0.50/0.51}" "${right/7.0/7.1}" "${right/\[7\]/[8]}" "${right/x\/cold/z/cold}" 'It takes 2.001 ms.' \
    'It is 1.74× as fast.' "${right/rows.csv/none.csv}" "${right/of (/of (((}" "${right/x\/cold over y\/cold/x/cold over}"
judged 1 page.md "${right/2.000/3.125}" --update
[[ $(<"$here/docs/page.md") == "$right" ]] || fail "--update: $(cat "$here/docs/page.md")"
# What a page shows of a file that was printed.
# shellcheck disable=SC2016  # backquotes of Markdown
right=$(printf 'In [rows.txt](../results/a/rows.txt):\n\n```text\n...\n0 of 7 alarm\n```')
judged 0 page.md "$right"
wrong page.md "${right/7/8}" "${right/0 of/of}" "${right/rows.txt)/none.txt)}"
# In comments: with the results of this tree, since these name them from its root.
record=$(compgen -G 'results/*/sweep.csv' | head -n 1)
read -r row seconds < <(python3 -c 'import csv, sys
row = next(row for row in csv.DictReader(open(sys.argv[1])) if row["status"] == "ok")
print(row["name"], format(1e6 * float(row["time_median_s"]), ",.3f"))' "$record")
right=$(printf '/* Measured, %s:\n *   %s %s us */' "$record" "$row" "$seconds")
judged 0 rung.cu "$right"
wrong rung.cu "${right/$seconds/1$seconds}" "${right/$row/none}" "${right/ us}" "${right/ us/ us; 5 us}" '/* Measured: 5 us */' '/* It takes 2.001 ms. */'

# Charts of records say what is in the files.
PATH=$PWD/tests/plot/svg_only:$PATH
texts() { sed -E 's/<[^>]*>/\n/g' "$1" | grep -v '^[[:space:]]*$'; }
for charts in results/*/*-charts; do
    csv=$(compgen -G "${charts%-charts}.csv*")
    names=$(basename -a -s .svg "$charts"/*.svg | grep -v -e '-dark$' | sed "s/^$(basename "${charts%-charts}")-\(ratios\|precision\|training\)\$/\1/" | paste -sd'|')
    scripts/plot.sh --only="^($names)\$" "$csv" "$here/drawn" >/dev/null 2>"$here/err" || { fail "$csv: $(cat "$here/err")"; continue; }
    for chart in "$charts"/*.svg; do
        cmp -s <(texts "$chart") <(texts "$here/drawn/${chart##*/}") || fail "$chart: says something else than what scripts/record.sh --draw makes of $csv"
    done
    rm -rf "$here/drawn"
done
end_test
