#!/usr/bin/env bash
# Usage: scripts/step.sh OPERATION NAME [flags of rungbench]
# Steps through a CUDA rung in gdb, on the simulator. `scripts/step.sh matmul tiled` stops where the first thread of
# cuda_tiled's first block begins. docs/simulator.md says how to go on.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"

op=${1-} name=${2-}
name=${name#cuda_}
name=${name#sim_}
[[ -n $op && -n $name ]] || die 'expected an operation and the name of a rung, as in: step.sh matmul tiled'
[[ -f $root/kernels/$op/$name.cu ]] || die "there is no kernels/$op/$name.cu"

run "$root/scripts/setup.sh" build debug
set_up build-debug -DCMAKE_BUILD_TYPE=Debug -DRUNGBENCH_CUDA=OFF
compile build-debug rungbench

# The rung is verified before it is timed: what is stepped through is its first run on the smallest size.
exec gdb -q -ex 'set pagination off' -ex 'set width 0' -ex 'set debuginfod enabled off' -ex "tbreak ${op}_${name}_kernel" \
    -ex 'display threadIdx' -ex 'display blockIdx' -ex run \
    --args "$root/build-debug/rungbench" --sitting=step:0 --progress=off --suite=smoke --modes=hot --filter="^$op/.*/sim_$name/" "${@:3}"
