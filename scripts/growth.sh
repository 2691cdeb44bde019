#!/usr/bin/env bash
# Usage: scripts/growth.sh [flags of rungbench]
# Measures products like MNIST's in which one size grows and the others stay: N from 1 to 128, K from 16 to 4096, M from 1 to
# 100,000. Draws each as a chart of time against that size, with the library and the floor, in which a size that our rungs were
# not made for shows as a step. Writes results/local/growth.csv and results/local/growth-charts/, unless --out=FILE.csv says
# where.
# Exit status: rungbench's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A size that kernels are made for, and its neighbours on both sides.
sizes=(
    --size='matmul:m=50000,k=784,n=1..5,8..12,15..17,20,24,31..33,40,48,63..65,96,127,128'
    --size='matmul:m=50000,k=16,17,31,32,64,100,128,255..257,512,783..785,788,1000,1023..1025,1568,2048,3072,4096,n=10'
    --size='matmul:m=1,2,5,8,16,17,32,64,65,100,256,1000,1024,4096,10000,20000,50000,100000,k=784,n=10'
)

check_outputs "$@"
out=$root/results/local/growth.csv
if file_of out "$@"; then
    out=$file
else
    prepare_folder "${out%/*}"
    set -- --out="$out" "$@"
fi
run "$root/scripts/setup.sh" build charts
build build
status=0
run "$root/build/rungbench" --suite=none "${sizes[@]}" --filter='/(cpu_tuned|openblas|cublas|cuda_[a-z0-9_]*)/' --modes=cold \
    --min-time=0.02 "$@" || status=$?
[[ $status -le 1 ]] || exit "$status"
drawn=0
run "$root/scripts/plot.sh" --only='^growth-' -- "$out" || drawn=$?
[[ $drawn -eq 0 || $drawn -eq 77 ]] || exit "$drawn"
exit "$status"
