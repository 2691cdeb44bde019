#!/usr/bin/env bash
# scripts/layout.sh on a repository whose programs are scripts, one for each order of linking: what its table says.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
gate=$(dirname "$1")/rungbench-gate
source=$2
make_folder
unset GITHUB_STEP_SUMMARY
mkdir "$here/scripts"
cd "$here"
cp -r "$source"/scripts/{layout.sh,common.sh,common} scripts/
printf '#!/bin/sh\n' >scripts/setup.sh
chmod +x scripts/setup.sh
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(fake NONE)
add_custom_target(rungbench ALL
    COMMAND \${CMAKE_COMMAND} -E copy \${PROJECT_SOURCE_DIR}/program-\${RUNGBENCH_LINK_SEED} \${PROJECT_BINARY_DIR}/rungbench)
add_custom_target(rungbench-gate ALL COMMAND \${CMAKE_COMMAND} -E copy "$gate" \${PROJECT_BINARY_DIR}/rungbench-gate)
END
program() { # SEED VARIABLE=VALUE...
    printf '#!/bin/sh\n%s\n. "%s/tests/gate/fake_rungbench.sh"\n' "${*:2}" "$source" >"program-$1"
    chmod +x "program-$1"
}
program 1 SEED=1 CODE=feed
program 2 SEED=2 FACTOR=1.05 CODE=feed

# expect STATUS WHAT FLAG...
expect() {
    local status=0
    scripts/layout.sh "${@:3}" >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status, expected $1: $(cat out err)"
}
row='matmul/a\.1/x/graph'
expect 0 'the same code' --builds=2 --out=table
grep -qE "^ *(1\.0[45][0-9]+) +\1 +1 +1 +0  $row$" out || fail "the same code: $(<out)"
[[ $(wc -l <out) -eq 4 ]] || fail "3 rows have the table $(<out)"
cmp -s out table || fail '--out wrote another table'

program 3 SEED=3 FACTOR=1.1 CODE=beef
expect 1 'other code' --builds=3
grep -qE "^ *1\.0[45][0-9]+ +1\.(09|10)[0-9]+ +3 +1 +2  $row$" out || fail "other code: $(<out)"

program 2 SEED=1 CODE=feed
expect 2 'an order that changes nothing' --builds=2
grep -q 'builds 1 and 2 are the same file' err || fail "an order that changes nothing: $(<err)"
expect 2 'one build' --builds=1
expect 2 'an unknown flag' --sitting
end_test
