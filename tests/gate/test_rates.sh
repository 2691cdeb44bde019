#!/usr/bin/env bash
# The gate's error rates: scripts/gate/rates.py, which asks rungbench-gate. The tests are in Python.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
RUNGBENCH_GATE=$(realpath "$(dirname "$1")")/rungbench-gate
export RUNGBENCH_GATE
cd "$2"
PYTHONPATH=scripts/gate:scripts/plot:tests/gate python3 -Bm unittest rates_of_made_rounds || fail 'rates_of_made_rounds.py'
end_test
