#!/usr/bin/env bash
# What the simulator runs, on a GPU: the rungs on the same sizes with the same seeds, the precision of those on tensor cores,
# and the kernels that use every feature, plainly and under each tool of compute-sanitizer.
# Usage: test_kernels_on_gpu.sh [BUILD_FOLDER [plain|memcheck|racecheck|initcheck|synccheck ...]]; without a tool it is all
# of them. Exit status 77 without a GPU.
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

check_rung() { # TOOL OP VARIANT
    local said=$folder/$2-$3 status=0
    compute-sanitizer --tool="$1" --error-exitcode=9 "$rungs" what_tools_watch_is_right "$2" "$3" >"$said" 2>&1 || status=$?
    if [[ $status -ne 0 ]] || ! grep -q ' 1 test(s) run' "$said"; then
        echo "$1, $2 $3: status $status: $(grep -m 5 '=========' "$said"; tail -n 5 "$said")"
        return 1
    fi
}
export -f check_rung
export folder rungs=$build/tests/simulator/test_gpu_rungs

at_a_time=$(($(nproc) < 16 ? $(nproc) : 16)) # each has its own context on the GPU

# Every rung of ours, each by itself: racecheck takes long, and one after the other it would take most of an hour.
check_rungs() { # TOOL
    local names start=$SECONDS
    names=$("$build/rungbench" --list --suite=smoke --backend=cuda --filter=/cuda_ --modes=cold 2>"$out" |
        sed -E 's|^([^/]*)/[^/]*/([^/]*)/.*|\1 \2|' | sort -u)
    [[ -n $names ]] || { fail "--list: $(cat "$out")"; return; }
    OMP_NUM_THREADS=1 xargs -P "$at_a_time" -L 1 bash -c 'check_rung "$@"' check_rung "$1" <<<"$names" || fail "$1 of rungs"
    echo "$1, $(wc -l <<<"$names") rungs, $((SECONDS - start)) s"
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
