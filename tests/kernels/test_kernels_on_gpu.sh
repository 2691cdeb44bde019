#!/usr/bin/env bash
# What the simulator runs, on a GPU: the rungs on the same sizes with the same seeds, the precision of those on tensor cores,
# and the kernels that use every feature, plainly and under each tool of compute-sanitizer.
# Usage: test_kernels_on_gpu.sh [BUILD_FOLDER]; exit status 77 without a GPU.
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
build=${1:-$(dirname "${BASH_SOURCE[0]}")/../../build-test}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
programs=(test_gpu_rungs test_gpu_kernels test_gpu_precision test_gpu_fitted_tiles)
# The rest calls rungs thousands of times, or multiplies much more than it takes to reach all code.
declare -A under_sanitizer=([test_gpu_rungs]='*_sizes_are_right' [test_gpu_fitted_tiles]='*_on_several_tiles'
    [test_gpu_precision]='*_as_in_fp32')
for program in "${programs[@]}"; do
    if [[ ! -x $build/tests/simulator/$program ]]; then
        echo "test_kernels_on_gpu.sh: there is no $build/tests/simulator/$program: scripts/test.sh builds it where nvcc is" >&2
        exit 2
    fi
    status=0
    "$build/tests/simulator/$program" >"$out" 2>&1 || status=$?
    if [[ $status -eq 77 ]]; then
        cat "$out"
        exit 77
    fi
    [[ $status -eq 0 ]] || fail "$program: status $status: $(cat "$out")"
    echo "$program: $(grep -o '[0-9]* test(s)\.' "$out" | tail -n 1)"
done

PATH=$PATH:/usr/local/cuda/bin
if ! command -v compute-sanitizer >/dev/null; then
    fail 'compute-sanitizer is not on the PATH'
else
    for tool in memcheck racecheck initcheck synccheck; do
        for program in "${programs[@]}"; do
            start=$SECONDS
            compute-sanitizer --tool="$tool" --error-exitcode=9 "$build/tests/simulator/$program" \
                ${under_sanitizer[$program]:+"${under_sanitizer[$program]}"} >"$out" 2>&1 ||
                fail "$tool: $(grep -m 20 '=========' "$out" || tail -n 20 "$out")"
            echo "$tool, $program: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out" | tail -n 1), $((SECONDS - start)) s"
        done
    done
fi

[[ $failures -eq 0 ]]
