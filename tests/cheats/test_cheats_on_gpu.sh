#!/usr/bin/env bash
# The kernels of cases.txt that a GPU runs, as test_cheats.sh has those of the CPU.
# Usage: test_cheats_on_gpu.sh [BUILD_FOLDER [TABLE.csv]]; exit status 77 without a GPU. TABLE.csv gets a line per row: what
# became of it, and why. Then times count, too: no ranked row of a cheat is faster than honest work can be.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source_dir=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
build=$(realpath "${1:-$source_dir/build-test}")
impatient=$build/tests/cheats/rungbench_impatient
flags=()
[[ ! ${2:-} ]] || flags=(--times --table="$(realpath "$2")")

if [[ ! -x $impatient ]]; then
    echo "test_cheats_on_gpu.sh: there is no $impatient: scripts/test.sh builds it" >&2
    exit 2
fi
"$impatient" --verify --suite=smoke --require=cuda --filter=/cuda_naive/ --progress=off >/dev/null || skip 'no GPU, or a build without CUDA'
enter_folder
python3 -B "$source_dir/tests/cheats/cheats.py" "$build/rungbench" "$impatient" "$source_dir" cuda "${flags[@]}"
