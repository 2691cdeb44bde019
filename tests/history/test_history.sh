#!/usr/bin/env bash
# The history of times: the search for changes, and scripts/history.sh in a repository of its own. The tests are in Python.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
command -v gnuplot >/dev/null || skip 'there is no gnuplot'
rungbench=$(realpath "$1")
cd "$2"
for tests in search states command; do
    PYTHONUTF8=1 PYTHONPATH=scripts/history:scripts/plot:results/history:tests/history:tests/plot RUNGBENCH=$rungbench python3 -Bsm unittest "$tests" || fail "$tests.py"
done
end_test
