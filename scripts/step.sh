#!/usr/bin/env bash
# Usage: scripts/step.sh OPERATION NAME [flags of rungbench]
# Steps through a CUDA rung in gdb, on the simulator. `scripts/step.sh matmul tiled` stops where the first thread of
# cuda_tiled's first block begins. docs/simulator.md says how to go on.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

op=${1-} name=${2-}
name=${name#cuda_}
name=${name#sim_}
[[ -n $op && -n $name ]] || die 'expected an operation and the name of a rung, as in: step.sh matmul tiled'
[[ -f $root/kernels/$op/$name.cu ]] || die "there is no kernels/$op/$name.cu"

run "$root/scripts/setup.sh" build debug
set_up build-debug -DCMAKE_BUILD_TYPE=Debug -DRUNGBENCH_CUDA=OFF
compile build-debug rungbench

# The rung runs in a player, which the judge starts (docs/design.md): gdb goes on with that one and holds both, so that the judge
# waits, too. It takes one that says nothing for 20 times --min-time to hang. What is stepped through is the first run on the
# smallest size.
exec gdb -q -ex 'set pagination off' -ex 'set width 0' -ex 'set debuginfod enabled off' -ex 'set confirm off' \
    -ex 'set follow-fork-mode child' -ex 'set detach-on-fork off' -ex 'set schedule-multiple on' \
    -ex "tbreak ${op}_${name}_kernel" -ex run -ex 'display threadIdx' -ex 'display blockIdx' \
    --args "$root/build-debug/rungbench" --verify --progress=off --suite=smoke --min-time=3600 --filter="^$op/.*/sim_$name/" "${@:3}"
