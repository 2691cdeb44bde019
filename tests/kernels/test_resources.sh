#!/usr/bin/env bash
# The gate that needs no GPU: what kernels take is what results/resources.csv says, or better. Skipped where there is no nvcc,
# or another than the file's: then it cannot tell. Its lines are notes, which scripts/test.sh shows.
# Of sources that are still those of the record nothing is built, except with RUNGBENCH_TEST_ALL=1.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
status=0
all=()
if [[ ${RUNGBENCH_TEST_ALL-} == 1 ]]; then all=(--build); fi
said=$("$2/scripts/resources.sh" "${all[@]}" 2>&1) || status=$?
said=$(sed '/: building in /d' <<<"$said")
case $status in
0) printf 'note: %s\n' "${said//$'\n'/$'\nnote: '}" ;;
3 | 77) skip "$said" ;;
*) printf '%s\n' "$said" ;;
esac
exit $status
