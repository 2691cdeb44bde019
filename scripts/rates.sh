#!/usr/bin/env bash
# Usage: scripts/rates.sh [--cpu-only] [--threshold=PERCENT] [--runs=N] [--seed=N] DIR...
# Says how often the gate would be wrong, from the rounds that `rungbench-gate --selftest --keep=DIR PROGRAM` left in each DIR:
# of an unchanged build, of one row whose times are scaled, and of what --slowdown slowed. docs/gate.md explains the figures.
# --runs=N draws N runs for each of its rates (default 1000), from --seed=N (default 42). --cpu-only and --threshold are those of
# rungbench-gate, which decides; RUNGBENCH_GATE names it, else it is build/rungbench-gate, which is built if it is not there.
# Exit status: 0 printed; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PYTHONPATH=$root/scripts/plot run_python "$root/scripts/gate/rates.py" "$@"
