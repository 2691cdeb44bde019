#!/usr/bin/env bash
# Usage: scripts/spread.sh RESULTS.csv
# Prints how far the rounds of a results file (rungbench --rounds=N --out=RESULTS.csv) lie apart.
# Exit status: 0 printed; 77 no row has two rounds; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -eq 1 && $1 != -* ]] || die 'expected one file: spread.sh RESULTS.csv'
run_python "$root/scripts/plot/spread.py" "$1"
