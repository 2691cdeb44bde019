#!/usr/bin/env bash
# CPU rungs lie where no other file can shift them across a cache line: functions and loops start at one.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
program=$1
build=$(dirname "$program")
for tool in nm objdump; do
    command -v $tool >/dev/null || skip "$tool was not found (Debian: binutils)"
done
cached() { sed -nE "s/^$1:[A-Z]+=(.*)/\1/p" "$build/CMakeCache.txt"; }
[[ $(cached CMAKE_BUILD_TYPE) == Rel* ]] || skip 'a build that is not optimised aligns no loops'
"$(cached CMAKE_C_COMPILER)" -Werror -falign-functions=64 -falign-loops=64 -x c -c -o /dev/null - <<<'int x;' 2>&1 ||
    skip 'this compiler cannot align loops'

mapfile -t objects < <(find "$build/CMakeFiles/rungbench_rungs.dir/cpu" -name '*.o' ! -path '*/cpu/backend/*' ! -path '*/cpu/simulator/*')
[[ ${#objects[@]} -gt 0 ]] || fail "no CPU rung was found in $build"
declare -A ours
while read -r name; do
    ours[$name]=1
done < <(nm "${objects[@]}" | awk '$2 ~ /^[tT]$/ && $3 !~ /\.cold$/ { print $3 }')
seen=0
while read -r address _ name; do
    [[ -v ours[$name] ]] || continue
    seen=$((seen + 1))
    ((0x$address % 64 == 0)) || fail "$name starts at 0x$address, which is no multiple of 64"
done < <(nm "$program" | grep -i ' t ')
[[ $seen -ge ${#ours[@]} ]] || fail "$seen functions of CPU rungs were found in $program, expected ${#ours[@]}"

# A compiler leaves loops alone that it thinks run rarely, the rest of an unrolled one say. So of the plain rungs each has a
# loop that starts at a cache line, and so do most of their loops together; by chance every fourth would. A loop starts where
# a jump leads back to.
if [[ $(uname -m) == x86_64 ]]; then
    loops=$(objdump -d --no-show-raw-insn "$program" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $2; is_plain = $2 ~ /_cpu_scalar>:$/ }
        is_plain && $2 ~ /^j/ && $3 ~ /^[0-9a-f]+$/ && !(($3, name) in met) {
            from = $1
            sub(":", "", from)
            if (length($3) < length(from) || (length($3) == length(from) && $3 "" < from "")) {
                met[$3, name]
                loops[name]++
                aligned[name] += $3 ~ /[048c]0$/
            }
        }
        END { for (name in loops) print aligned[name], loops[name], name }')
    [[ -n $loops ]] || fail 'no loop was found in a scalar rung'
    all=0 good=0
    while read -r aligned count name; do
        all=$((all + count)) good=$((good + aligned))
        [[ $aligned -gt 0 ]] || fail "no loop of $name starts at a multiple of 64"
    done <<<"$loops"
    [[ $((2 * good)) -gt $all ]] || fail "$good of $all loops of scalar rungs start at a multiple of 64, expected most"
fi
end_test
echo 'rungs start at cache lines, and so do their loops'
