#!/usr/bin/env bash
# What the simulator runs, on a GPU: the rungs on the same sizes with the same seeds, the precision of those on tensor cores,
# and the kernels that use every feature, plainly and under each tool of compute-sanitizer.
# Usage: test_kernels_on_gpu.sh [BUILD_FOLDER [plain|memcheck|racecheck|initcheck|synccheck ...]]; without a tool it is all
# of them. Exit status 77 without a GPU.
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
build=${1:-$(dirname "${BASH_SOURCE[0]}")/../../build-test}
tools=("${@:2}")
[[ ${#tools[@]} -gt 0 ]] || tools=(plain memcheck racecheck initcheck synccheck)
for tool in "${tools[@]}"; do
    [[ $tool =~ ^(plain|memcheck|racecheck|initcheck|synccheck)$ ]] && continue
    echo "test_kernels_on_gpu.sh: there is no tool '$tool': expected plain, memcheck, racecheck, initcheck or synccheck" >&2
    exit 2
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out
programs=(test_gpu_rungs test_gpu_kernels test_gpu_precision test_gpu_fitted_tiles)
# The rest calls rungs thousands of times, or multiplies much more than it takes to reach all code.
declare -A under_sanitizer=([test_gpu_rungs]='*_sizes_are_right' [test_gpu_fitted_tiles]='*_on_several_tiles'
    [test_gpu_precision]='*_as_in_fp32')
declare -A too_long_for_racecheck=([test_gpu_rungs]=yes [test_gpu_precision]=yes)
for program in "${programs[@]}"; do
    if [[ ! -x $build/tests/simulator/$program ]]; then
        echo "test_kernels_on_gpu.sh: there is no $build/tests/simulator/$program: scripts/test.sh builds it where nvcc is" >&2
        exit 2
    fi
done
"$build/tests/simulator/test_gpu_kernels" >"$out" 2>&1 || [[ $? -ne 77 ]] || { cat "$out"; exit 77; }

run_plainly() {
    local program status
    for program in "${programs[@]}"; do
        status=0
        "$build/tests/simulator/$program" >"$out" 2>&1 || status=$?
        [[ $status -eq 0 ]] || fail "$program: status $status: $(cat "$out")"
        echo "$program: $(grep -o '[0-9]* test(s)\.' "$out" | tail -n 1)"
    done
}

check_programs() { # TOOL
    local program start
    for program in "${programs[@]}"; do
        if [[ $1 == racecheck && -n ${too_long_for_racecheck[$program]-} ]]; then continue; fi
        start=$SECONDS
        compute-sanitizer --tool="$1" --error-exitcode=9 "$build/tests/simulator/$program" \
            ${under_sanitizer[$program]:+"${under_sanitizer[$program]}"} >"$out" 2>&1 ||
            fail "$1: $(grep -m 20 '=========' "$out" || tail -n 20 "$out")"
        echo "$1, $program: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out" | tail -n 1), $((SECONDS - start)) s"
    done
}

# Sizes that reach the kernels for aligned rows and for others, whole tiles and parts of them.
workloads=(--suite=smoke --shape=300x500x260 --shape=1160x1300x256 --shape=20001x100x13
    --transpose-shape=67x129 --transpose-shape=132x68 --transpose-shape=1100x904 --transpose-shape=1101x903
    --zip-shape=67x129xtransposed --zip-shape=132x68xtransposed --zip-shape=1100x904xtransposed
    --zip-shape=1101x903xtransposed --zip-shape=67x131xwhole --zip-shape=5x132xcolumn --reduce-columns-shape=3001x130
    --reduce-columns-shape=9x1031 --reduce-rows-shape=1x10000003 --reduce-rows-shape=3x9001 --dot-size=100003
    --softmax-shape=33x1031 --softmax-shape=2x40001 --map-size=100003)

check_row() { # TOOL ROW FLAGS
    compute-sanitizer --tool="$1" --error-exitcode=9 "$rungbench" "${@:3}" --threads=1 --profile="$2" >"$folder/${2//\//-}" 2>&1 ||
        { echo "$1, $2: $(grep -m 5 '=========' "$folder/${2//\//-}" || tail -n 5 "$folder/${2//\//-}")"; return 1; }
}
export -f check_row
export folder rungbench=$build/rungbench

at_a_time=$(($(nproc) < 16 ? $(nproc) : 16)) # each has its own context on the GPU

# Every rung of ours on these workloads: it is verified, warmed up, and launched once more.
check_rungs() { # TOOL
    local rows start=$SECONDS
    rows=$("$rungbench" --list "${workloads[@]}" --backend=cuda --filter=/cuda_ --modes=cold 2>"$out") ||
        { fail "--list: $(cat "$out")"; return; }
    OMP_NUM_THREADS=1 xargs -P "$at_a_time" -I '{}' bash -c 'check_row "$@"' check_row "$1" '{}' "${workloads[@]}" <<<"$rows" ||
        fail "$1 of rungs"
    echo "$1, $(wc -l <<<"$rows") rows, $((SECONDS - start)) s"
}

PATH=$PATH:/usr/local/cuda/bin
for tool in "${tools[@]}"; do
    if [[ $tool == plain ]]; then
        run_plainly
    elif ! command -v compute-sanitizer >/dev/null; then
        fail 'compute-sanitizer is not on the PATH'
    else
        check_programs "$tool"
        check_rungs "$tool"
    fi
done

[[ $failures -eq 0 ]]
