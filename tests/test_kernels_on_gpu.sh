#!/usr/bin/env bash
# The kernels that the simulator runs, on a GPU: the same sizes and seeds, plainly and under each tool of compute-sanitizer.
# Usage: test_kernels_on_gpu.sh RUNGBENCH TEST_GPU_KERNELS; exit status 77 without a GPU.
set -euo pipefail
rungbench=$1
failures=0

fail() {
    printf 'FAIL: %s\n' "$1"
    failures=$((failures + 1))
}

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
verify=("$rungbench" --verify --suite=smoke --require=cuda --filter='/(cuda_|cublas)')

status=0
"${verify[@]}" >"$here/out" 2>&1 || status=$?
if [[ $status -eq 77 ]]; then
    echo "skipped: $(cat "$here/out")"
    exit 77
fi
[[ $status -eq 0 ]] || fail "${verify[*]}: status $status: $(cat "$here/out")"
right=$(grep -c 'verify *right' "$here/out" || true)
[[ $right -ge 8 ]] || fail "only $right rungs are right: $(cat "$here/out")"

features=("$2")
"${features[@]}" >"$here/out" 2>&1 || fail "${features[*]}: $(cat "$here/out")"

PATH=$PATH:/usr/local/cuda/bin
if ! command -v compute-sanitizer >/dev/null; then
    fail 'compute-sanitizer is not on the PATH'
else
    for tool in memcheck racecheck initcheck synccheck; do
        for program in verify features; do
            declare -n command=$program
            start=$SECONDS
            compute-sanitizer --tool="$tool" --error-exitcode=9 "${command[@]}" >"$here/out" 2>&1 ||
                fail "$tool: $(grep -m 20 '=========' "$here/out" || tail -n 20 "$here/out")"
            echo "$tool, $program: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$here/out" | tail -n 1), $((SECONDS - start)) s"
        done
    done
fi

[[ $failures -eq 0 ]] || exit 1
echo "$right rungs are right on the GPU, and clean"
