#!/usr/bin/env bash
# The command line of scripts/plot.sh. Usage: test_plot.sh RUNGBENCH SOURCE_DIR
RUNGBENCH=$1 SOURCE_DIR=$2 PYTHONUTF8=1 PYTHONPATH=$2/tests/plot exec /usr/bin/python3 -Bm unittest command
