#!/usr/bin/env bash
# What scripts/growth.sh measures and draws. The build and the measuring are stood in for.
# Usage: test_growth.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"

export PROGRAM CSV
PROGRAM=$(realpath "$1")
CSV=$(realpath "$2")/tests/plot/one-row.csv
make_folder
make_checkout "$2"
cd "$here"

# A row per shape, and ends as STATUS says. The program itself says whether it takes these rows.
program rungbench <<'END'
[[ $* != --summarize=* && $1 != --match=* && $1 != --version ]] || exec "$PROGRAM" "$@"
rows=()
while [[ $# -gt 0 ]]; do
    case $1 in
    --out=*) out=${1#*=} ;;
    --out) out=$2 ;;
    --suite=* | --filter=* | --size=*) rows+=("$1") ;;
    esac
    shift
done
"$PROGRAM" --list "${rows[@]}" >list || exit 2
[[ ${STATUS-0} -ne 2 ]] || exit 2
head -n 1 "$CSV" >"$out"
cut -d / -f 2 list | sort -u >shapes
while read -r shape; do
    sed "1d; s/mnist,[0-9x]*,/$shape,$shape,/; s|/mnist/|/$shape/|; s/,1e-09,,,,,,,/,1e-09,,,,,1e6,1e7,/" "$CSV" >>"$out"
done <shapes
exit "${STATUS-0}"
END

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
rm -r checkout/results/local/growth-charts
expect 0 --out 'my own.csv'
[[ -s my\ own-charts/growth-matmul-50000x784xN.svg && ! -e checkout/results/local/growth-charts ]] ||
    fail "--out in two words: $(ls . checkout/results/local)"
STATUS=1 expect 1 --out=wrong.csv
[[ -s wrong-charts/growth-matmul-50000x784xN.svg ]] || fail 'a wrong rung: no chart'
STATUS=2 expect 2 --out=bad.csv
[[ ! -e bad.csv && ! -e bad-charts ]] || fail 'bad flags: something was made'

end_test
