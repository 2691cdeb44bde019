#!/usr/bin/env bash
# What scripts/test.sh says of made-up tests: how many passed, failed and were skipped, and why; what it builds; exit statuses.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
enter_folder
export PATH=$here/fake:$PATH TMPDIR=$here

# A checkout whose tests print files, each with a target that leaves a mark when it is built.
mkdir -p checkout/tests/{gate,kernels} checkout/{,.}ci checkout/bench/table checkout/cpu checkout/kernels/{op,backend} fake
cp -r "$2/scripts" checkout/
printf '#!/bin/sh\necho "$*" >>"%s/groups"\n[ "$*" != others ] || exit 2\n' "$here" >checkout/scripts/setup.sh
touch checkout/bench/a.c checkout/.ci/run checkout/kernels/op/{simulated,other}.cu
printf '#include "hopper.h"\n' >checkout/kernels/op/other.cu
cat >checkout/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(made_up NONE)
include(CTest)
function(made_up_test name status)
    add_custom_target(${name} ALL COMMAND ${CMAKE_COMMAND} -E touch built.${name})
    add_test(NAME ${name} COMMAND sh -c "cat '${CMAKE_SOURCE_DIR}/${name}'; exit ${status}")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
made_up_test(program 0)
made_up_test(script 0)
made_up_test(c_program 0)
set_tests_properties(c_program PROPERTIES LABELS sanitized)
if(NOT RUNGBENCH_SANITIZE)
    made_up_test(skipping_script 77)
    made_up_test(silent_script 77)
    made_up_test(failing_program 1)
    made_up_test(crashing_program 139)
    add_test(NAME mode COMMAND sh "${CMAKE_SOURCE_DIR}/mode")
    add_custom_target(mode)
endif()
END
cat >checkout/program <<'END'
[==========] Running 12 test(s).
skipped: no real <photo> & "more"
[  SKIPPED ] a_photo
[==========] 12 test(s) run.
[  PASSED  ] 11 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] a_photo
END
echo '[  PASSED  ] 1 test(s).' >checkout/c_program
seq 1000 >checkout/script # much output does not push out what is said after it
echo 'note: the figures are the same' >>checkout/script
echo 'skipped: no nvcc' >checkout/skipping_script
: >checkout/silent_script
# shellcheck disable=SC2016  # a script's own variables
echo 'echo "note: all is ${RUNGBENCH_TEST_ALL-no}, scratch in $TMPDIR"' >checkout/mode
printf '[  PASSED  ] 5 test(s).\n[  FAILED  ] 2 test(s), listed below:\n' >checkout/failing_program
echo '[==========] Running 3 test(s).' >checkout/crashing_program
printf '#!/bin/sh\nexit 1\n' >fake/nvidia-smi
chmod +x fake/nvidia-smi
for tool in shellcheck clang-format cppcheck clang-tidy nvcc; do
    printf '#!/bin/sh\n[ "$*" = --help ] || echo "%s $*" >>"%s/linted"\n' $tool "$here" >fake/$tool
    chmod +x fake/$tool
done

# expect STATUS LAST-LINE WHAT FLAG...
expect() {
    local status=0
    rm -rf checkout/build-*/built.* groups linted
    checkout/scripts/test.sh "${@:4}" >out 2>err </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$3: status $status instead of $1: $(tail -n 5 err)"
    [[ $(tail -n 1 out) == "$2" ]] || fail "$3: the last line is '$(tail -n 1 out)' instead of '$2'"
}

says() { # WHAT LINE: on stderr
    grep -qxF -- "$2" err || fail "$1: no line '$2' in: $(<err)"
}

built() { # WHAT FILE...
    [[ $(cd checkout && echo build-*/built.*) == "${*:2}" ]] || fail "$1: built: $(cd checkout && echo build-*/built.*)"
}

# Two programs of 11 tests that pass and one that is skipped; two scripts; one that runs with the sanitizers alone; three linters
# and nvcc. 5 pass and 2 fail in a program that fails, and one that crashes counts once.
expect 1 '35 passed, 3 failed, 4 skipped' 'everything'
says 'everything' 'test.sh: 2 skipped: no real <photo> & "more"'
says 'everything' 'test.sh: 1 skipped: no nvcc'
says 'everything' 'test.sh: 1 skipped: no reason given'
says 'everything' 'test.sh: the figures are the same'
says 'everything' "test.sh: all is no, scratch in $here"
[[ $(cut -d' ' -f1 linted | grep -v nvcc | uniq) == $'shellcheck\nclang-format\ncppcheck' ]] || fail "everything: $(<linted)"
[[ $(sed -n 's/^nvcc .* //p' linted) == kernels/op/other.cu ]] || fail "everything: $(<linted)"
[[ $(<groups) == $'build charts test lint\nothers' ]] || fail "everything: setup.sh $(<groups)"

expect 0 '2 passed, 0 failed, 0 skipped' 'one' -R '^script$'
built 'one' build-asan/built.script build-test/built.script
[[ ! -e linted && $(<groups) == 'build charts test' ]] || fail "one: linted, or setup.sh $(<groups)"
expect 0 '1 passed, 0 failed, 0 skipped' 'one without sanitizers' -R mode
built 'one without sanitizers' 'build-*/built.*'
expect 77 '0 passed, 0 failed, 1 skipped' 'only what is skipped' -R skipping
expect 1 '0 passed, 0 failed, 0 skipped' 'none' -R nothing
expect 1 '0 passed, 1 failed, 0 skipped' 'a crash' -R crashing
expect 0 '1 passed, 0 failed, 0 skipped' 'all' --all -R mode
says 'all' "test.sh: all is 1, scratch in $here"
echo 'setsid /bin/sleep 120 >/dev/null 2>&1 &' >checkout/mode
printf '#!/bin/sh\n' >fake/sleep
chmod +x fake/sleep
expect 1 '1 passed, 1 failed, 0 skipped' 'a process that stays' -R mode
says 'a process that stays' 'test.sh: FAILED: left running by the tests: /bin/sleep 120 '
rm fake/sleep
: >checkout/mode
printf '#!/bin/sh\nexit 1\n' >fake/clang-tidy
expect 1 '35 passed, 4 failed, 4 skipped' 'a linter' --all
says 'a linter' 'test.sh: FAILED: clang-tidy'
status=0
checkout/scripts/test.sh -R mode >/dev/full 2>err </dev/null || status=$?
[[ $status -eq 2 && $(tail -n 1 err) == 'test.sh: stdout: cannot be written' ]] || fail "a full stdout: status $status: $(<err)"

end_test
