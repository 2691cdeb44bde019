#!/usr/bin/env bash
# What scripts/plot.sh draws of other files. Usage: test_drawings.sh RUNGBENCH SOURCE_DIR
RUNGBENCH=$1 SOURCE_DIR=$2 PYTHONUTF8=1 PYTHONPATH=$2/tests/plot exec /usr/bin/python3 -Bm unittest drawings
