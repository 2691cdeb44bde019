#!/usr/bin/env bash
# A further kind of chart is one file: it is drawn, listed by --help, and has its heading on the page.
# Usage: test_new_chart.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
make_folder
root="$here/my 2nd try"
mkdir -p "$root/bench/table"
cp -r "$source/scripts" "$root"
cp "$source/bench/table/rungs.def" "$root/bench/table"
cat >"$root/scripts/plot/charts/counts.awk" <<'AWK'
#chart counts | how many rungs each workload has
#page 9 | counts | 3 | Counted | How many there are.
END {
    begin_bars()
    bar_name[bars = 1] = "one"
    panels = 1
    bar_row[1, 1] = workload_of[1] SUBSEP rung_of[workload_of[1], 1] SUBSEP mode_of[workload_of[1], 1]
    bar_divisor[1, 1] = 2 * median[bar_row[1, 1]]
    lay_out_bars(0, 200)
    subtitle("counted")
    footer("by hand")
    end_bars("counts", "how many")
}
AWK
"$root/scripts/plot.sh" --help >"$here/help"
grep -qE '^  counts +how many rungs each workload has$' "$here/help" || fail "--help does not list it: $(<"$here/help")"
[[ $(grep -oE '^  (overview|counts|samples)' "$here/help" | tr -d '\n') == '  overview  samples  counts' ]] || fail '--help does not list charts in the order of their #page lines'
"$root/scripts/plot.sh" "$source/tests/plot/one-row.csv" "$here/out" >"$here/log" 2>&1 || fail "plot.sh: $(<"$here/log")"
[[ -s $here/out/counts.svg && -s $here/out/counts.png ]] || fail "it is not drawn: $(<"$here/log")"
grep -q '<h3>Counted</h3>' "$here/out/report.html" || fail 'it has no heading on the page'
end_test
echo 'a chart is one file'
