#!/usr/bin/env bash
# Usage: scripts/spread.sh RESULTS.csv
# Prints how far the rounds of a results file (rungbench --rounds=N --out=RESULTS.csv) lie apart.
# Exit status: 0 printed; 77 no row has two rounds; 2 anything else.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"

[[ $# -eq 1 && $1 != -* ]] || die 'expected one file: spread.sh RESULTS.csv'
csv=$1
[[ -f $csv && -r $csv ]] || die "$csv: no file that can be read; expected a results file of rungbench"
status=0
PLOT_FILE="spread.sh: $csv" PLOT_TABLE="$root/bench/table/rungs.def" LC_ALL=C awk -f "$root/scripts/plot/csv.awk" \
    -f "$root/scripts/plot/text.awk" -f "$root/scripts/plot/results.awk" -f "$root/scripts/plot/spread.awk" <"$csv" || status=$?
[[ $status -eq 0 || $status -eq 77 ]] || exit 2
exit $status
