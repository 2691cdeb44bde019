#!/usr/bin/env bash
# Builds rungbench and runs every test: test.sh [flags of ctest]
# Plain and with the sanitizers, then the linters; with flags of ctest (-R csv, say) the tests that they choose, and no linters.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0

# check NAME COMMAND...: one more that passed or failed
check() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "FAILED: $1"
    fi
}

run_tests() { # FOLDER [CTEST-FLAG...]
    local folder=$root/$1 log=$root/$1/ctest.log said=$root/$1/Testing/Temporary/LastTest.log counts bad all
    rm -f "$said"
    say "testing in $folder"
    ctest --test-dir "$folder" --output-on-failure --parallel "$jobs" "${@:2}" 2>&1 </dev/null | tee "$log" || true
    # What tests that did not fail want to be known, and ctest keeps to itself.
    if [[ -f $said ]]; then sed -n 's/^note: //p' "$said" >&2; fi
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log")
    if [[ -n $counts ]]; then
        read -r bad all <<<"$counts"
        passed=$((passed + all - bad))
        failed=$((failed + bad))
    elif ! grep -q -e '^No tests were found' -e '^Total Tests:' "$log"; then
        failed=$((failed + 1))
    fi
}

"$root/scripts/setup.sh" build charts test
build build-test -DBUILD_TESTING=ON -DRUNGBENCH_WERROR=ON
build build-asan -DBUILD_TESTING=ON -DRUNGBENCH_WERROR=ON -DRUNGBENCH_SANITIZE=ON -DRUNGBENCH_CUDA=OFF \
    "-DCMAKE_C_FLAGS=-g ${CFLAGS-}"
run_tests build-test "$@"
run_tests build-asan "$@"

if [[ $# -eq 0 ]]; then
    cd "$root"
    mapfile -t shell < <(find scripts tests kernels -name '*.sh' | sort)
    check shellcheck shellcheck -x .ci/run "${shell[@]}"
    # returnDanglingLifetime takes a function's answer for the address of what it was given.
    check cppcheck cppcheck --project=build-asan/compile_commands.json --enable=warning,performance,portability \
        --inline-suppr --error-exitcode=1 --quiet -j "$jobs" --suppress='*:/usr/*' --suppress=returnDanglingLifetime
fi
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
