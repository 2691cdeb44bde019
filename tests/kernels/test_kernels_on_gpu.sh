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

check_row() { # ROW FLAGS
    compute-sanitizer --tool=racecheck --error-exitcode=9 "$rungbench" "${@:2}" --profile="$1" >"$folder/${1//\//-}" 2>&1 ||
        { echo "racecheck, $1: $(grep -m 5 '=========' "$folder/${1//\//-}" || tail -n 5 "$folder/${1//\//-}")"; return 1; }
}
export -f check_row
export folder rungbench=$build/rungbench

# One launch of each rung per workload.
check_races_of_rungs() {
    local workloads=(--suite=smoke --shape=300x500x260 --shape=1160x1300x256 --shape=20001x100x13) rows start=$SECONDS
    rows=$("$rungbench" --list "${workloads[@]}" --backend=cuda --filter=/cuda_ --modes=cold 2>/dev/null)
    xargs -P 8 -I '{}' bash -c 'check_row "$@"' check_row '{}' "${workloads[@]}" <<<"$rows" || fail 'racecheck of rungs'
    echo "racecheck, $(wc -l <<<"$rows") rows, $((SECONDS - start)) s"
}

PATH=$PATH:/usr/local/cuda/bin
for tool in "${tools[@]}"; do
    case $tool in
    plain) run_plainly ;;
    memcheck | racecheck | initcheck | synccheck)
        if ! command -v compute-sanitizer >/dev/null; then
            fail 'compute-sanitizer is not on the PATH'
            continue
        fi
        check_programs "$tool"
        [[ $tool != racecheck ]] || check_races_of_rungs
        ;;
    *)
        echo "test_kernels_on_gpu.sh: there is no tool '$tool': expected plain, memcheck, racecheck, initcheck or synccheck" >&2
        exit 2
        ;;
    esac
done

[[ $failures -eq 0 ]]
