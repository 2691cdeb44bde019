#!/usr/bin/env bash
# What scripts/growth.sh measures and draws. The build and the measuring are stood in for.
# Usage: test_growth.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

source=$(cd "$2" && pwd)
PROGRAM=$(realpath "$1")
make_folder
cd "$here"

mkdir -p checkout/bench checkout/build fake
cp -r "$source/scripts" checkout/
cp "$source/bench/table/rungs.def" checkout/bench/
cat >fake/cmake <<'END'
#!/bin/sh
[ "$1" != --version ] || echo 'cmake version 3.31.0'
END
# A row per shape, and ends as STATUS says. The program itself says whether it takes these rows.
cat >checkout/build/rungbench <<'END'
#!/usr/bin/env bash
[[ $* != --summarize=* && $1 != --version ]] || exec "$PROGRAM" "$@"
rows=()
for flag in "$@"; do
    [[ $flag != --out=* ]] || out=${flag#*=}
    [[ $flag != --suite=* && $flag != --shape=* && $flag != --filter=* ]] || rows+=("$flag")
done
"$PROGRAM" --list "${rows[@]}" >list || exit 2
[[ ${STATUS-0} -ne 2 ]] || exit 2
head -n 1 "$CSV" >"$out"
for flag in "$@"; do
    [[ $flag != --shape=* ]] || sed "1d; s/mnist,[0-9x]*,/${flag#*=},${flag#*=},/; s|/mnist/|/${flag#*=}/|; s/,1e-09,,,,,,,/,1e-09,,,,,1e6,1e7,/" "$CSV" >>"$out"
done
exit "${STATUS-0}"
END
chmod +x fake/cmake checkout/build/rungbench
export PROGRAM CSV=$source/tests/plot/one-row.csv PATH=$here/fake:$PATH

# expect STATUS FLAG...
expect() {
    local status=0
    checkout/scripts/growth.sh "${@:2}" >out 2>err </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "growth.sh ${*:2}: status $status instead of $1: $(tail -n 3 err)"
}

expect 0
for shape in Mx784x10 50000xKx10 50000x784xN; do
    [[ -s checkout/results/local/growth-charts/growth-matmul-$shape.svg ]] || fail "no chart of $shape: $(tail -n 3 err)"
done
expect 0 --out=mine.csv
[[ -s mine-charts/growth-matmul-50000x784xN.svg ]] || fail "--out: $(ls)"
STATUS=1 expect 1 --out=wrong.csv
[[ -s wrong-charts/growth-matmul-50000x784xN.svg ]] || fail 'a wrong rung: no chart'
STATUS=2 expect 2 --out=bad.csv
[[ ! -e bad.csv && ! -e bad-charts ]] || fail 'bad flags: something was made'

end_test
