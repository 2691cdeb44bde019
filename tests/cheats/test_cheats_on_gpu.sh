#!/usr/bin/env bash
# The cheats on a GPU: test_cheats.sh with the CUDA rungs of cheats.def.
# Usage: test_cheats_on_gpu.sh [BUILD_FOLDER [TABLE.csv]]; exit status 77 without a GPU. TABLE.csv gets a line per row: what
# became of it, and why.
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source_dir=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
build=${1:-$source_dir/build-test}
program=$build/tests/cheats/rungbench_cheats

if [[ ! -x $program ]]; then
    echo "test_cheats_on_gpu.sh: there is no $program: scripts/test.sh builds it" >&2
    exit 2
fi
"$program" --verify --suite=smoke --require=cuda --filter=/cuda_naive/ --progress=off >/dev/null || skip 'no GPU, or a build without CUDA'
RUNGBENCH_CHEATS_TABLE=${2:+$(realpath "$2")} exec bash "$source_dir/tests/cheats/test_cheats.sh" "$program" "$source_dir" cuda
