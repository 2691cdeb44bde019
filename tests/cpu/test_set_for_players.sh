#!/usr/bin/env bash
# What players find that their judge has set: OpenMP shows its settings at each start, the player last.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
make_folder
cd "$here"
unset GOMP_SPINCOUNT OMP_WAIT_POLICY OPENBLAS_CORETYPE
export OMP_DISPLAY_ENV=verbose

# finds SPIN_COUNT FLAGS...
finds() {
    local expected=$1 status=0
    "$rungbench" --suite=smoke --filter=grayscale/.*/cpu_scalar/ "${@:2}" >out 2>err || status=$?
    [[ $status -eq 0 ]] || fail "status $status: $(cat out err)"
    grep -q GOMP_SPINCOUNT err || { cat err; echo 'skipped: this OpenMP has no GOMP_SPINCOUNT'; exit 77; }
    grep GOMP_SPINCOUNT err | tail -n 1 | grep -q "'$expected'" || fail "expected GOMP_SPINCOUNT=$expected: $(grep GOMP_SPINCOUNT err)"
}

finds 10000 --min-time=0.001 --progress=off
grep -q cpu_scalar out || fail "the player measured nothing: $(cat out)"
finds 10000 --verify
GOMP_SPINCOUNT=5 finds 5 --min-time=0.001 --progress=off

end_test
