#!/usr/bin/env bash
# The rungs of tests/cheats/ as kernels of the user's own: what must be rejected is. A sample; all with RUNGBENCH_TEST_ALL=1.
# Usage: test_own_cheats.sh RUNGBENCH_CHEATS SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
make_folder
cd "$here"
amount=some
[[ ${RUNGBENCH_TEST_ALL-} != 1 ]] || amount=all
python3 -B "$2/tests/own/own_cheats.py" "$1" "$2" $amount
