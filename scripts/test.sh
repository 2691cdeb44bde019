#!/usr/bin/env bash
# Usage: scripts/test.sh [--all] [flags of ctest]
# Installs what is missing (Debian, as root), builds rungbench and its tests, plain and with the sanitizers, runs them, and
# then the linters. A test in C is run with the sanitizers, or plain where they find nothing; --all runs it both ways, and
# what is slow or compares times: every mutant and cheat, the program with the sanitizers, a bare machine, clang-tidy,
# cppcheck of tests, and, where there is nvcc and no GPU, nvcc for all kernels. With flags of ctest, -R csv say, only the
# tests that they choose are built and run, in both ways, and no linter.
# RUNGBENCH_TEST_DATA names a folder with real input; tests that need what is not there are skipped:
#   mnist/       MNIST's files in IDX form, gzipped (t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz)
#   puppy.jpg    a photo of 1920x1330 pixels
# Scratch files lie in $TMPDIR, or else in memory, /dev/shm, where that has a gigabyte.
# Exit status: 0 all that ran passed; 1 something failed, or no test was chosen; 2 it cannot be built; 77 all was skipped.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

flags=()
for flag in "$@"; do
    if [[ $flag == --all ]]; then export RUNGBENCH_TEST_ALL=1; else flags+=("$flag"); fi
done
passed=0
failed=0
skipped=0
reasons=()
# All processes of the tests have it in their environment, whatever session they are in.
mark=$$.$EPOCHREALTIME
trap 'end_remains 0' EXIT

# end_remains LOOKS: what the tests have left fails; so many looks are for what is about to end by itself
end_remains() {
    local looks=$1 environ
    while remains | grep -q . && [[ $looks -gt 0 ]]; do
        looks=$((looks - 1))
        sleep 0.1
    done
    for environ in $(remains); do
        say "FAILED: left running by the tests: $({ tr '\0' ' ' <"${environ%/*}/cmdline"; } 2>/dev/null)"
        kill -KILL "$(basename "${environ%/*}")" 2>/dev/null || true
        failed=$((failed + 1))
    done
}

remains() { grep -lzsxF "RUNGBENCH_TEST_RUN=$mark" /proc/[0-9]*/environ || true; }

# check NAME COMMAND...: one more that passed or failed
check() {
    say "$1"
    if run "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "FAILED: $1"
    fi
}

# build_tests FOLDER [CMAKE-FLAG...]: those that the flags choose: each has a target of its name
build_tests() {
    local chosen=() choice=("${flags[@]}")
    if [[ $1 == build-test ]]; then choice+=("${plain_flags[@]}"); else choice+=("${sanitized_flags[@]}"); fi
    set_up "$1" -DBUILD_TESTING=ON -DRUNGBENCH_WERROR=ON "${@:2}"
    if [[ ${#choice[@]} -gt 0 ]]; then
        quietly "$root/$1/chosen.log" ctest --test-dir "$root/$1" -N "${choice[@]}" || true
        mapfile -t chosen < <(sed -n 's/^ *Test *#[0-9]*: //p' "$root/$1/chosen.log")
        [[ ${#chosen[@]} -gt 0 ]] || return 0
    fi
    compile "$1" "${chosen[@]}"
}

# is_roomy FOLDER: it has a gigabyte, and programs may run there
is_roomy() {
    [[ -w $1 && $(df --output=avail -B1M "$1" | tail -n 1) -ge 1024 ]] && ! findmnt -no OPTIONS -T "$1" | grep -qw noexec
}

# Some wait for what a while must show: there is one more than processors.
run_tests() { # FOLDER [FLAG-OF-CTEST...]
    local folder=$root/$1 results=$root/$1/tests.xml said kind first second
    rm -f "$results"
    say "testing in $folder"
    RUNGBENCH_TEST_RUN=$mark run ctest --test-dir "$folder" --output-on-failure --parallel "$((jobs + 1))" --output-junit "$results" \
        --test-output-size-passed 1000000 --test-output-size-failed 1000000 "${flags[@]}" "${@:2}" </dev/null || true
    end_remains 100
    if [[ ! -f $results ]]; then
        failed=$((failed + 1))
        return
    fi
    said=$(run_python "$root/scripts/count_tests.py" "$results")
    while IFS=$'\t' read -r kind first second; do
        case $kind in
        note) say "$first" ;;
        skipped)
            skipped=$((skipped + 1))
            reasons+=("$first")
            ;;
        counts)
            passed=$((passed + first))
            failed=$((failed + second))
            ;;
        esac
    done <<<"$said"
}

tidy() {
    find bench cpu -name '*.c' -print0 | xargs -0 -P "$jobs" -n 4 clang-tidy -p build-test --quiet 2>&1 |
        sed '/ warnings* generated\.$/d'
}

look_at_scripts() { find .ci/run scripts tests kernels -type f \( -name '*.sh' -o -path .ci/run \) -print0 | xargs -0 -P "$jobs" -n 8 shellcheck -x; }

# What the simulator does not compile, too: the backend, and what has other words for a GPU; all else would take minutes.
compile_for_cuda() {
    { grep -rlE --include='*.cu' '__CUDACC__|"(hopper|fp16_pieces)\.h"' kernels; find kernels/backend tests/kernels -name '*.cu'; } | sort -u |
        xargs -P "$jobs" -n 1 \
        nvcc -std=c++17 -I. -arch=sm_90a -cubin --Werror=all-warnings "${soon[@]}" -o /dev/null 2>&1 | sed '/^ptxas info/d' &&
        find kernels -name '*.c' -not -name 'cudnn*.c' | xargs -r -P "$jobs" -n 8 \
            cc -std=c17 -D_XOPEN_SOURCE=700 -I. -isystem "$(dirname "$(command -v nvcc)")/../include" -Wall -Wextra -Werror -fsyntax-only
}

# Tests make small files by the thousand, which in memory wait for no disk.
if [[ -z ${TMPDIR-} && -z ${RUNGBENCH_TEST_ALL-} ]] && is_roomy /dev/shm; then export TMPDIR=/dev/shm; fi
groups=(build charts test)
if [[ ${#flags[@]} -eq 0 ]]; then groups+=(lint); fi
run "$root/scripts/setup.sh" "${groups[@]}"
# One test can do without these: where they cannot be had, it is said once.
[[ -e $root/build-test ]] || run "$root/scripts/setup.sh" others || true
plain_flags=() sanitized_flags=() build_flags=()
is_short=
if [[ ${#flags[@]} -eq 0 && -z ${RUNGBENCH_TEST_ALL-} ]]; then
    is_short=yes
    plain_flags=(-LE sanitized)
    sanitized_flags=(-E '^test_cli$') # whose program has all rungs: they are half of what there is to compile
fi
# Where no GPU will run them, kernels are compiled for one architecture, and soon rather than well. When they change,
# scripts/resources.sh compiles them for all.
for_nobody=
soon=()
if [[ -z ${CUDAARCHS-} ]] && command -v nvcc >/dev/null && ! nvidia-smi >/dev/null 2>&1; then
    for_nobody=yes
    if [[ $(nvcc --help) == *--Ofast-compile* ]]; then soon=(--Ofast-compile=mid); fi
    if [[ -n $is_short ]]; then
        build_flags=(-DRUNGBENCH_CUDA=OFF)
    else
        build_flags=(-DRUNGBENCH_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=90a-real "-DCMAKE_CUDA_FLAGS=${soon[*]} ${CUDAFLAGS-}")
    fi
fi
# A hundred programs are linked, each in a third of the time that it takes otherwise.
if command -v ld.gold >/dev/null && cc -fuse-ld=gold -x c -o /dev/null - <<<'int main(void) { return 0; }' 2>/dev/null; then
    build_flags+=("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold ${LDFLAGS-}")
fi
build_tests build-test "${build_flags[@]}"
build_tests build-asan "${build_flags[@]}" -DRUNGBENCH_SANITIZE=ON -DRUNGBENCH_CUDA=OFF "-DCMAKE_C_FLAGS=-g1 ${CFLAGS-}"
run_tests build-test "${plain_flags[@]}"
run_tests build-asan "${sanitized_flags[@]}"

if [[ ${#flags[@]} -eq 0 ]]; then
    cd "$root"
    check shellcheck look_at_scripts
    # The tables are made by a program.
    mapfile -t sources < <(find bench cpu kernels tests -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' | sort)
    check clang-format clang-format --dry-run -Werror "${sources[@]}"
    looked_at=(--file-filter='bench/*' --file-filter='cpu/*' --file-filter='kernels/*')
    if [[ -n ${RUNGBENCH_TEST_ALL-} ]]; then looked_at=(); fi
    # returnDanglingLifetime takes a function's answer for the address of what it was given.
    check cppcheck cppcheck --project=build-asan/compile_commands.json --enable=warning,performance,portability \
        "${looked_at[@]}" --inline-suppr --error-exitcode=1 --quiet -j "$jobs" --suppress='*:/usr/*' --suppress=returnDanglingLifetime
    if [[ -n ${RUNGBENCH_TEST_ALL-} ]]; then
        check clang-tidy tidy
    elif [[ -n $for_nobody ]]; then
        check nvcc compile_for_cuda
    fi
fi

if [[ $skipped -gt 0 ]]; then
    printf '%s\n' "${reasons[@]}" | sort | uniq -c | sort -rn | while read -r count reason; do say "$count skipped: $reason"; done
fi
echo "$passed passed, $failed failed, $skipped skipped" | put ''
if [[ $failed -gt 0 || $((passed + skipped)) -eq 0 ]]; then exit 1; fi
[[ $passed -gt 0 ]] || exit 77
