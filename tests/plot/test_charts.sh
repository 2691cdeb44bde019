#!/usr/bin/env bash
# What the charts of scripts/plot.sh show. Usage: test_charts.sh RUNGBENCH SOURCE_DIR
RUNGBENCH=$1 SOURCE_DIR=$2 PYTHONUTF8=1 PYTHONPATH=$2/tests/plot exec /usr/bin/python3 -Bm unittest measured shown
