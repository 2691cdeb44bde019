#!/usr/bin/env bash
# Prints how far the rounds of a results file lie apart: spread.sh RESULTS.csv (of --rounds=N)
# Exit status: 0 printed; 77 no row has two rounds; 2 anything else.
set -euo pipefail
unset CDPATH

die() {
    printf 'spread.sh: %s\n' "$*" >&2
    exit 2
}

[[ $# -eq 1 && $1 != -* ]] || die 'expected one file: spread.sh RESULTS.csv'
csv=$1
[[ -f $csv && -r $csv ]] || die "$csv: no file that can be read; expected a results file of rungbench"
home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
status=0
PLOT_FILE="spread.sh: $csv" PLOT_TABLE="$home/../bench/table/rungs.def" LC_ALL=C awk -f "$home/plot/csv.awk" \
    -f "$home/plot/text.awk" -f "$home/plot/results.awk" -f "$home/plot/spread.awk" <"$csv" || status=$?
[[ $status -eq 0 || $status -eq 77 ]] || exit 2
exit $status
