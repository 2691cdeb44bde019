#!/usr/bin/env bash
# What scripts/plot.sh draws of training. Usage: test_training.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
RUNGBENCH=$1 SOURCE_DIR=$2 exec /usr/bin/python3 -B "$2/tests/plot/epochs.py"
