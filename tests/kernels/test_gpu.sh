#!/usr/bin/env bash
# What only a GPU can show: that cold is cold, that the timer tells the truth, that modes agree where they must.
# Usage: test_gpu.sh RUNGBENCH SOURCE_DIR; exit status 77 without a GPU.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
make_folder
cd "$here"

status=0
"$rungbench" --require=cuda --info >info 2>err || status=$?
if [[ $status -eq 77 ]]; then
    skip "$(cat err)"
fi
[[ $status -eq 0 ]] || fail "--info: status $status: $(cat err)"

# value FILE NAME COLUMN: one cell
value() {
    awk -F, -v name="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } $2 == name { print $at }' "$1"
}

# holds WHAT EXPRESSION: true, or a failure that says what
holds() {
    awk "BEGIN { exit !($2) }" </dev/null || fail "$1: $2"
}

# The timer: t(n) - t(0) = n in every mode. A step may miss by chance, in one process of three.
for process in 1 2 3; do
    "$rungbench" --calibrate --filter=/cublas/ --min-time=0.05 >"calibration.$process" 2>err || true
done
missed=$(awk '/: empty kernel/ { at = $0; sub(/:.*/, "", at); gpu = /^NVIDIA/ }
    gpu && /yes$/ { steps++ }
    gpu && /NO$/ { steps++; if (++missed[at ", " $1 " us"] == 2) print at ", " $1 " us" }
    END { if (steps < 3 * 5 * 8) print "only " steps + 0 " steps were seen" }' calibration.*)
[[ -z $missed ]] || fail "the timer is off at $missed: $(cat calibration.*)"

# The cache: with a quarter to a half of a 60 MB L2 at stake, cold runs no faster than memory, and what is found in the cache
# does; in hot, launches take their part of the time.
measure() { # FILE FLAGS...
    "$rungbench" --suite=none --image-size=16384x16384 --image-size=1920x1953 --image-size=2560x2560 \
        --filter='/cuda_vector/' --modes=cold,hot,graph --min-time=0.05 --out="$1" "${@:2}" >table 2>err ||
        fail "$*: $(cat err)"
}
measure read.csv
measure write.csv --flush=write
memory=$(value read.csv grayscale/16384x16384/cuda_vector/cold bandwidth_gbs)
for size in 1920x1953 2560x2560; do
    name=grayscale/$size/cuda_vector
    cold=$(value read.csv "$name/cold" bandwidth_gbs)
    hot=$(value read.csv "$name/hot" bandwidth_gbs)
    graph=$(value read.csv "$name/graph" bandwidth_gbs)
    written=$(value write.csv "$name/cold" bandwidth_gbs)
    holds "$name is faster than memory when cold (GB/s)" "$cold <= 1.02 * $memory"
    holds "$name is no faster when hot (GB/s)" "$hot > 1.25 * $cold"
    [[ $size == 1920x1953 ]] || # too short: half a microsecond between kernels is a seventh of it
        holds "$name is no faster than memory in a graph (GB/s)" "$graph > 1.05 * $memory"
    holds "$name pays nothing for what a flush by writing left behind (GB/s)" "$written < 0.97 * $cold"
    echo "$name: cold $cold GB/s, hot $hot, graph $graph, cold after a flush by writing $written; 805 MB cold $memory"
done

# It changes cold alone. (Of hot that cannot be asked: what a launch costs differs between processes.)
a=$(value read.csv grayscale/2560x2560/cuda_vector/graph time_median_s)
b=$(value write.csv grayscale/2560x2560/cuda_vector/graph time_median_s)
holds '--flush=write changes graph (s)' "$a < 1.03 * $b && $b < 1.03 * $a"

# Long kernels take the same in all modes but for what the cache holds; the parts of e2e make up the whole.
"$rungbench" --suite=none --shape=2048x2048x2048 --filter='/cublas/' --modes=cold,hot,graph,e2e,e2e_pageable --min-time=0.05 \
    --out=long.csv >table 2>err || fail "long: $(cat err)"
name=matmul/2048x2048x2048/cublas
hot=$(value long.csv $name/hot time_median_s)
for mode in cold graph; do
    holds "$mode and hot differ for a long kernel (s)" "$(value long.csv $name/$mode time_median_s) < 1.05 * $hot && $hot < 1.05 * $(value long.csv $name/$mode time_median_s)"
done
for mode in e2e e2e_pageable; do
    whole=$(value long.csv $name/$mode time_median_s)
    parts="($(value long.csv $name/$mode upload_s) + $(value long.csv $name/$mode kernel_s) + $(value long.csv $name/$mode download_s))"
    holds "the parts of $mode are not the whole (s)" "$parts > 0.9 * $whole && $parts < 1.1 * $whole"
done
holds 'pageable memory is faster than pinned (s)' "$(value long.csv $name/e2e_pageable time_median_s) > $(value long.csv $name/e2e time_median_s)"

# Rounds: processes that use the GPU one after the other, forked from one that does not.
"$rungbench" --suite=smoke --filter='/(cuda_vector|cublas)/' --modes=cold,graph --min-time=0.02 --rounds=3 --out=rounds.csv >table 2>err ||
    fail "rounds: $(cat err)"
[[ $(wc -l <rounds.csv) -gt 1 && $(sed 1d rounds.csv | grep -vc ',ok,') -eq 0 ]] || fail "rounds: $(sed 1d rounds.csv | grep -v ',ok,' | cut -c 1-200)"

# One launch for a profiler.
"$rungbench" --profile=matmul/mnist/cublas/cold >/dev/null 2>err || fail "--profile: $(cat err)"

printf '%d failures\n' "$failures"
[[ $failures -eq 0 ]]
