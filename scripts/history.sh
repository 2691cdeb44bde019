#!/usr/bin/env bash
# Usage: scripts/history.sh add RESULTS.csv [--into=FOLDER | --branch=NAME] [--dirty]
#        scripts/history.sh show [--from=FOLDER | --branch=NAME] [--filter=REGEX] [OUTDIR]
#        scripts/history.sh export [--from=FOLDER | --branch=NAME] [--filter=REGEX] OUTDIR
#        scripts/history.sh thin [--from=FOLDER | --branch=NAME] --keep=N
# How the times of each row change from commit to commit: docs/history.md.
# add puts the medians of a run (rungbench --out) into the history: FOLDER, or a branch of this repository (rungbench-history
# if none is named); the working tree is left alone. A run that is there is not added again. Any number of
# runs may be added at once.
# show prints a table of what became slower or faster, and where, and draws charts of it (OUTDIR is results/local/history if
# none is given). export writes files that Apache Otava reads. thin removes old runs: of each device the newest N stay, and of
# the others the first of each week and those of the two commits at each change.
# Exit status: 0 done; 77 there is nothing to add or to show; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PYTHONPATH=$root/scripts/plot run_python "$root/scripts/history/history.py" "$@"
