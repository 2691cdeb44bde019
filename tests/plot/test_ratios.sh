#!/usr/bin/env bash
# Tests what scripts/plot.sh draws of verdicts, on the made-up file beside this one: test_ratios.sh ROOT (of the checkout)
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

[[ $# -eq 2 ]] || { echo 'test_ratios.sh: expected RUNGBENCH and SOURCE_DIR' >&2; exit 1; }
root=$(cd "$2" && pwd)
plot=$root/scripts/plot.sh
verdicts=$root/tests/plot/verdicts.csv
make_folder
cd "$here"

# draws CASE CSV [OUTDIR]: plot.sh must succeed in silence and leave STEM-ratios.svg and .png, both whole.
draws() {
    local stem=${2##*/} folder=${3-$(dirname "$2")} status=0
    stem=${stem%.csv}
    "$plot" "$2" ${3+"$3"} >stdout 2>stderr || status=$?
    [[ $status -eq 0 && ! -s stderr ]] || { fail "$1: status $status: $(<stderr)"; return; }
    svg=$folder/$stem-ratios.svg
    head -n 1 "$svg" | grep -q '^<?xml' || fail "$1: does not begin as XML"
    [[ $(tail -n 1 "$svg") == '</svg>' ]] || fail "$1: does not end with </svg>"
    if command -v xmllint >/dev/null; then xmllint --noout "$svg" || fail "$1: not well-formed"; fi
    [[ $(tail -c 8 "$folder/$stem-ratios.png" | od -An -tx1 | tr -d ' ') == 49454e44ae426082 ]] || fail "$1: no whole PNG"
}

# refuses CASE CSV STATUS TEXT [OUTDIR]: plot.sh must end so, with one line that holds TEXT, and leave nothing behind.
refuses() {
    local status=0
    "$plot" "$2" "${5-$here/refused}" >stdout 2>stderr </dev/null || status=$?
    [[ $status -eq $3 ]] || fail "$1: expected status $3, got $status: $(<stderr)"
    [[ $(wc -l <stderr) -eq 1 && $(<stderr) == plot.sh:*"$4"* ]] || fail "$1: expected one line with '$4', got: $(<stderr)"
    [[ ! -s stdout && ! -e $here/refused ]] || fail "$1: left something behind"
}

has() { # TEXT
    grep -qF -- "$1" "$svg" || fail "the chart lacks '$1'"
}

# The same of a text that may be on two lines.
says() { # TEXT
    [[ $(grep -o '>[^<]*</text>' "$svg" | sed -e 's/^>//' -e 's|</text>$||' | tr '\n' ' ') == *"$1"* ]] || fail "the chart does not say '$1'"
}

# Beside the file, named after it, from any folder.
mkdir 'a b' && cp "$verdicts" "a b/it's \$x & y=z.csv"
draws 'beside the file' "a b/it's \$x & y=z.csv"
[[ $(find 'a b' -type f | wc -l) -eq 3 && $(<stdout) == 'Charts: 1 in a b (SVG and PNG)' ]] || fail 'beside the file: other files'
draws 'in a folder' "$verdicts" out

has '>1 row slower</text>'
has '>2 rows inconclusive</text>'
has '>3 rows cleared</text>'
has '>Threshold 1 %</text>'
has '>Threshold 5 %</text>'
has '>cleared: slower by less than 10 %</text>'
has '>+50.2 %</text>'
has '>−1.60 %</text>'
has 'geometric means of 2 to 12 rounds'
has 'Without a line: too few rounds'
says "Not drawn: 1 failed (matmul/mnist/mine/cold: wrong \"answer\", C[3,4] is nan &lt;1> and more &amp; ]]&gt;)"
says '1 not gated (grayscale/thumb/cuda_1d/hot: launch-bound: the host was too slow)'
grep -q '> row' "$svg" && fail 'a verdict without a count'
# By threshold, the slowest first.
order=$(grep -o '>[a-z]*/[^<]*</text>' "$svg" | tr -d '\n')
[[ $order == *cuda_2d/cold*thumb/cuda_1d/cold*cuda_vector/cold*cuda_vector/hot*puppy/cuda_1d/cold*cuda_tiled/cold*cpu_tuned*openblas* ]] ||
    fail "order: $order"

# Where things stand: the numbers on the axis are the scale that points and lines are held against.
python=/usr/bin/python3
if [[ -x $python ]]; then
    "$python" - "$svg" "$verdicts" <<'END' || fail 'the chart does not show the figures of the file'
import csv
import re
import sys

svg = open(sys.argv[1], encoding="utf-8").read()
rows = {row["name"]: row for row in csv.DictReader(open(sys.argv[2], newline="")) if row["ratio"]}
colours = {"cleared": "0, 114, 178", "slower": "213, 94, 0", "inconclusive": "230, 159, 0", "suspected": "204, 121, 167",
           "faster": "0, 158, 115"}

def number(text):
    return float(text.replace("−", "-").replace(" %", "").replace(",", ""))

ticks = {}
for x, y, text in re.findall(r'translate\(([\d.]+),([\d.]+)\)"[^>]*>\s*<text><tspan[^>]*>([-+−\d.,]+(?: %)?)</tspan>', svg):
    ticks.setdefault(float(y), {})[number(text)] = float(x)
names = {name: float(y) for y, name in re.findall(r'translate\([\d.]+,([\d.]+)\)"[^>]*>\s*<text>(\w+/[^<]*)</text>', svg)}
points = [(float(x), float(y), " ".join(colour.split())) for x, y, colour in
          re.findall(r"#gpPt6' transform='translate\(([\d.]+),([\d.]+)\)[^>]*color='rgb\(([^)]*)\)", svg)]
lines = [(float(a), float(b), float(y)) for a, y, b in
         re.findall(r"M([\d.]+),([\d.]+) L([\d.]+),\2\s", svg)]
arrows = [(float(y), " ".join(colour.split())) for colour, y in
          re.findall(r"<polygon fill = 'rgb\(([^)]*)\)' points = '[\d.]+,([\d.]+) [\d.]+,[\d.]+ [\d.]+,\2 ", svg)]
legend = [" ".join(colour.split()) for colour in re.findall(r"fill = 'rgb\(([^)]*)\)' points = '24.00,", svg)]
assert legend == [colours[v] for v in ("slower", "suspected", "inconclusive", "faster", "cleared")], legend
assert len(ticks) == 2 and set(names) == set(rows), (ticks, names)
assert len(points) == len(rows) - 1, points

for name, row in rows.items():
    axis = min(y for y in ticks if y > names[name])
    scale = ticks[axis]
    left, right = min(scale), max(scale)

    def x_of(ratio):
        change = 100 * (float(ratio) - 1)
        return scale[left] + (change - left) * (scale[right] - scale[left]) / (right - left)

    # The baseline of a name's letters is a little below the middle of its row.
    mine = [p for p in points if -8 < p[1] - names[name] < 0]
    line = [l for l in lines if -8 < l[2] - names[name] < 0]
    cut = [colour for y, colour in arrows if -8 < y - names[name] < 0]
    if row["verdict"] == "slower": # far out: an arrow, and nothing that takes the room of the others
        assert not mine and cut == [colours["slower"]], (name, mine, cut)
        continue
    assert len(mine) == 1 and abs(mine[0][0] - x_of(row["ratio"])) < 0.6, (name, mine, x_of(row["ratio"]))
    assert mine[0][2] == colours[row["verdict"]], (name, mine)
    if row["ratio_low"] == "":
        assert not line and not cut, (name, line)
    elif name == "grayscale/puppy/cuda_vector/cold": # 29 % down to 41 % up, in a panel of some per cent
        assert len(cut) == 2 and max(b - a for a, b, _ in line) > 500, (name, line, cut)
    else:
        assert len(line) == 1 and not cut, (name, line, cut)
        assert abs(line[0][0] - x_of(row["ratio_low"])) < 0.6 and abs(line[0][1] - x_of(row["ratio_high"])) < 0.6, name

# The upright lines at no change and at the threshold, in both panels.
upright = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+),([\d.]+) L\1,[\d.]+", svg)]
for (y, scale), threshold in zip(sorted(ticks.items()), (1, 5)):
    unit = (scale[max(scale)] - scale[0]) / max(scale)
    for wanted in (0, threshold):
        here = [x for x, bottom in upright if 0 < y - bottom < 40 and abs(x - scale[0] - unit * wanted) < 0.6]
        assert len(here) >= 2, (threshold, wanted, upright) # of the grid, and of its own
END
fi

# Any number of rows, alone as well.
header=$(head -n 1 "$verdicts")
{ echo "$header"; sed -n 3p "$verdicts"; } >alone.csv
draws 'one row, slower' alone.csv
has '>+40 %</tspan>' # and not an arrow
{ echo "$header"; sed -n 6p "$verdicts"; } >alone.csv
draws 'one row without an interval' alone.csv
{ echo "$header"; echo a/b/c/d,cleared,1,1,1,1,1,8,8,0.01,0.02,,,no,no,; } >alone.csv
draws 'no change at all' alone.csv
has '>0.00 %</text>'
{ echo "$header"; for i in {1..60}; do echo "a/b/c$i/d,cleared,1.00$i,0.99,1.01,1,1,8,8,0.01,0.02,,,no,no,"; done; } >many.csv
draws 'sixty rows' many.csv
has '>a/b/c60/d</text>'
sed -e '1s/^/more,/' -e '2,$s/^\([gm]\)/"x, ""y""",\1/' -e '1s/^/\xef\xbb\xbf/' -e 's/$/\r/' "$verdicts" >further.csv
draws 'a further column, line ends of another system' further.csv
cmp -s further-ratios.png out/verdicts-ratios.png || fail 'a further column: another chart'

{ echo "$header"; grep -E ',(not gated|skipped),' "$verdicts"; } >none.csv
refuses 'no row with a ratio' none.csv 77 'no row was timed on both sides: 1 not gated (grayscale/thumb/cuda_1d/hot: launch-bound'
echo "$header" >none.csv
refuses 'a header only' none.csv 2 'no row'
sed -e '1s/,threshold,/,limit,/' "$verdicts" >missing.csv
refuses 'a column missing' missing.csv 2 "no column \`threshold'"
head -c 700 "$verdicts" >short.csv
refuses 'cut off' short.csv 2 'is the file whole?'
sed -e '2s/,cleared,/,fine,/' "$verdicts" >verdict.csv
refuses 'an unknown verdict' verdict.csv 2 "line 2: verdict is \`fine'"
for value in abc -1 0 nan inf; do
    sed -e "2s/,1.0012,/,$value,/" "$verdicts" >number.csv
    refuses "a ratio of $value" number.csv 2 "line 2: ratio is \`$value'; expected a number above 0"
done
sed -e '2s/,0.01,0.02,/,,0.02,/' "$verdicts" >limits.csv
refuses 'a ratio without a threshold' limits.csv 2 'line 2: a ratio without threshold and clear'
refuses 'OUTDIR is a file' "$verdicts" 2 'none.csv: ' none.csv
if [[ $EUID -ne 0 ]]; then
    mkdir closed && cp "$verdicts" closed/ && chmod 555 closed
    refuses 'a read-only folder' "$verdicts" 2 'closed: cannot be written to' closed
    status=0
    "$plot" closed/verdicts.csv >stdout 2>stderr || status=$?
    [[ $status -eq 2 && $(wc -l <stderr) -eq 1 ]] || fail "beside a file in a read-only folder: status $status: $(<stderr)"
    chmod 755 closed
fi

end_test
