#!/usr/bin/env bash
# The gate that needs no GPU: what kernels take is what results/resources.csv says, or better. Skipped where there is no nvcc,
# or another than the file's: then it cannot tell. Its lines are notes, which scripts/test.sh shows.
# Usage: test_resources.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
status=0
said=$("$2/scripts/resources.sh" 2>&1) || status=$?
[[ $status -ne 3 ]] || status=77
if [[ $status -eq 0 || $status -eq 77 ]]; then
    sed -e '/: building in /d' -e 's/^/note: /' <<<"$said"
else
    printf '%s\n' "$said"
fi
exit $status
