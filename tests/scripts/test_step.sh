#!/usr/bin/env bash
# gdb steps through a simulated rung thread by thread, as docs/simulator.md says.
# Usage: test_step.sh RUNGBENCH SOURCE_DIR; exit status 77 where programs may not be traced.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
at_length || skip 'scripts/test.sh --all builds what gdb steps through'
source=$2
enter_folder

# A checkout with this kernel alone, for all that is stepped through is built anew.
mkdir checkout
cp -r "$source"/{CMakeLists.txt,CHANGELOG.md,LICENSE,README.md,bench,cpu,kernels,scripts} checkout/
table=checkout/bench/table/rungs.def
sed -nE '/^KERNEL\(matmul, tiled,/d; s/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1\/\2.cu/p' $table | (cd checkout/kernels && xargs rm)
sed -i -E '/^KERNEL\(/{/^KERNEL\(matmul, tiled,/!d}' $table

# line TEXT: the first line of the kernel with that text
line() {
    grep -nF -m 1 -e "$1" "$source/kernels/matmul/tiled.cu" | cut -d: -f1
}
checkout/scripts/step.sh matmul tiled >out 2>&1 <<EOF || true
next
advance $(line '__syncthreads();')
next
print p0
print threadIdx.x
break $(line 'Bs[ty][tx] =')
continue
continue
delete breakpoints
break $(line 'sum = fmaf(As') if threadIdx.x == 3 && threadIdx.y == 1
continue
print ty
print As.first[0] != 0
next
print threadIdx.x
kill
quit
EOF
if grep -qE 'ptrace: Operation not permitted|Could not trace' out; then
    skip 'gdb may not trace programs here'
fi

# expect TEXT: the output has it, behind what was expected before.
from=1
expect() {
    local found
    found=$(tail -n "+$from" out | grep -nF -m 1 -e "$1" | cut -d: -f1) || true
    if [[ -z $found ]]; then
        fail "no '$1' from line $from of: $(cat out)"
    else
        from=$((from + found))
    fi
}
# shellcheck disable=SC2016  # gdb's own variables
{
    expect 'matmul_tiled_kernel (m=1, n=63, k=28'
    expect 'threadIdx = {x = 0, y = 0, z = 0}'
    expect 'blockIdx = {x = 0, y = 0, z = 0}'
    expect "for (int p = 0; p < BK; p++)" # behind the barrier, and still the same thread
    expect 'threadIdx = {x = 0, y = 0, z = 0}'
    expect '$1 = 0'
    expect '$2 = 0'
    expect 'threadIdx = {x = 0, y = 0, z = 0}' # of the next block
    expect 'blockIdx = {x = 1, y = 0, z = 0}'
    expect 'threadIdx = {x = 1, y = 0, z = 0}' # one after the other
    expect 'blockIdx = {x = 1, y = 0, z = 0}'
    expect 'threadIdx = {x = 3, y = 1, z = 0}'
    expect '$3 = 1'
    expect '$4 = true'
    expect '$5 = 3'
}

end_test
