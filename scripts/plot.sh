#!/usr/bin/env bash
# Usage: scripts/plot.sh [--only=REGEX] [--samples=FILE.csv] RESULTS.csv [OUTDIR]
#        scripts/plot.sh VERDICTS.csv|ERRORS.csv|TRAINING.csv [OUTDIR]
#        scripts/plot.sh [--only=REGEX] --compare A.csv B.csv [OUTDIR]
# Draws results (rungbench --out) as SVG (light and dark) and PNG: those of the charts listed below that the file can feed, and
# report.html, an HTML page with all of them. OUTDIR is RESULTS-charts if none is given.
# --only=REGEX draws only those whose name matches, and no page.
# Draws other files, too, in their own folder if no OUTDIR is given:
# verdicts (rungbench-gate --csv) as VERDICTS-ratios, how each row's time changed;
# errors (tests/simulator/precision_errors, docs/precision.md) as ERRORS-precision, how they are spread;
# training (scripts/train.sh) as TRAINING-training, how long epochs take by each rung;
# results of several runs (rungbench --devices, --merge, mpirun) as RESULTS-runs, which of them is slower.
# --compare draws compare-OP-WORKLOAD-MODE, how many times as fast each rung is in B; OUTDIR is B-compared if none is given.
# Results are read by the program RUNGBENCH of the environment, else by build/rungbench, which is built if it is not there.
# A file has at most 64 MiB, 6,000 rows (the rounds of a row count as one), and as many workloads and modes as make 500 charts: what
# two processors draw in minutes.
# Flags may stand anywhere; after -- there are only files.
# Exit status: 0 drawn; 77 the file can feed no chart; 2 anything else.
set -euo pipefail

more_help() {
    echo 'The charts:'
    (run_python "$root/scripts/plot/main.py" --list-charts)
}
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
run_python "$root/scripts/plot/main.py" "$@"
