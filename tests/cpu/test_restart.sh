#!/usr/bin/env bash
# When the program starts itself anew. OpenMP shows its settings at each start, so the starts can be counted.
# Usage: test_restart.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
make_folder
cd "$here"
unset GOMP_SPINCOUNT OMP_WAIT_POLICY OPENBLAS_CORETYPE RUNGBENCH_RESTARTED
export OMP_DISPLAY_ENV=verbose

# starts NUMBER SPIN_COUNT FLAGS...: so many, the last one with that spin count; an empty one stands for any.
starts() {
    local expected=$1 spin_count=$2 status=0 count
    shift 2
    "$rungbench" "$@" >out 2>err || status=$?
    count=$(grep -c 'OPENMP DISPLAY ENVIRONMENT BEGIN' err || true)
    [[ $count -eq $expected ]] || fail "$(printf '%q ' "$@"): $count starts, expected $expected; status $status: $(cat out err)"
    [[ -z $spin_count ]] || grep 'GOMP_SPINCOUNT' err | tail -n 1 | grep -q "'$spin_count'" ||
        fail "$(printf '%q ' "$@"): expected GOMP_SPINCOUNT=$spin_count: $(grep GOMP_SPINCOUNT err)"
}

starts 1 '' --version
grep -q 'GOMP_SPINCOUNT' err || { cat err; echo 'skipped: this OpenMP has no GOMP_SPINCOUNT'; exit 77; }

# A run that measures has a player, which finds what its judge has set.
quick=(--suite=smoke --min-time=0.001 --progress=off)
starts 2 10000 "${quick[@]}" --filter=grayscale/.*/cpu_scalar/hot
grep -q cpu_scalar out || fail "the player measured nothing: $(cat out)"
starts 2 10000 --verify --suite=smoke --filter=grayscale/.*/cpu_scalar/

# What runs nothing on the CPU is not started twice.
starts 1 '' --help
starts 1 '' --list --suite=all
starts 2 '' "${quick[@]}" --filter=grayscale/.*/sim_1d/
starts 2 10000 --info
starts 1 '' --profile=grayscale/thumb/cpu_scalar
starts 1 '' --fooo

# What the user chose is kept, and what has been started anew stays.
GOMP_SPINCOUNT=5 OPENBLAS_CORETYPE=Haswell starts 2 5 "${quick[@]}" --filter=grayscale/.*/cpu_scalar/hot
RUNGBENCH_RESTARTED='' starts 2 '' "${quick[@]}" --filter=grayscale/.*/cpu_scalar/hot

# A photo that comes through a pipe can be read once.
printf 'P6\n2 2\n255\nabcdefghijkl' >dots.ppm
"$rungbench" --suite=none --image=<(cat dots.ppm) --filter=/cpu_scalar/hot --min-time=0.001 >out 2>err ||
    fail "a photo through a pipe: $(cat err)"

end_test
