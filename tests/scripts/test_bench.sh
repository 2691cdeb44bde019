#!/usr/bin/env bash
# What scripts/bench.sh makes of a run: files, charts and page, exit statuses. The build and the measuring are stood in for.
# Usage: test_bench.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"

export PROGRAM CSV
PROGRAM=$(realpath "$1")
CSV=$(realpath "$2")/tests/plot/one-row.csv
make_folder
make_checkout "$2"
cd "$here"

# Writes the made-up results where it is told to, a sample for each row, and ends as STATUS says.
program rungbench <<'END'
[[ $1 != --version ]] || touch "$HERE/version-asked"
[[ $* != --summarize=* && $1 != --version ]] || exec "$PROGRAM" "$@"
printf '%s\n' "$@" >"$HERE/flags"
while [[ $# -gt 0 ]]; do
    case $1 in
    --out=*) out=${1#*=} ;;
    --out) out=$2 ;;
    --samples=*) samples=${1#*=} ;;
    esac
    shift
done
if [[ ${STATUS-0} -ne 2 && -n ${out-} ]]; then
    cp "$CSV" "$out"
    [[ -z ${samples-} ]] || printf '%s\n' name,round,index,seconds,iterations matmul/mnist/cpu_scalar/hot,0,0,0.512,1 >"$samples"
fi
exit "${STATUS-0}"
END
bench=checkout/scripts/bench.sh

# expect STATUS WHAT FLAG...
expect() {
    local status=0
    "$bench" "${@:3}" >out 2>err </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status instead of $1: $(tail -n 3 err)"
}

# flag WHAT PATTERN: rungbench was given one that matches
flag() {
    grep -qE -- "$2" flags || fail "$1: no flag matches $2 among: $(tr '\n' ' ' <flags)"
}

expect 0 'no flags'
results=$(echo checkout/results/local/*Z.csv)
[[ -s $results && -s ${results%.csv}-samples.csv && -s ${results%.csv}-charts/report.html ]] || fail "no flags: $(find checkout/results)"
[[ -s ${results%.csv}-charts/speedup-matmul-mnist-hot.png ]] || fail 'no flags: no chart'
grep -q "^bench.sh: results: .*$results$" err || fail "no flags: $(<err)"
expect 0 'a file' --out=mine.csv --suite=smoke
flag 'a file' '^--samples=mine-samples.csv$'
flag 'a file' '^--suite=smoke$'
[[ -s mine-charts/report.html && -s mine-samples.csv ]] || fail "a file: $(ls)"
expect 0 'a file, in two words' --out 'my own.csv'
flag 'a file, in two words' '^--samples=my own-samples.csv$'
[[ -s my\ own-charts/report.html ]] || fail "a file, in two words: $(ls)"
expect 0 'samples elsewhere' --out=mine.csv --samples=there.csv
[[ $(grep -c -- --samples flags) -eq 1 && -s there.csv ]] || fail "samples elsewhere: $(<flags)"
expect 0 'a file that is no CSV' --out=mine.txt
! grep -q -- --samples flags || fail "a file that is no CSV: $(<flags)"
expect 0 'no file' --out=/dev/null
! grep -q -- --samples flags || fail "no file: $(<flags)"
STATUS=1 expect 1 'a wrong rung' --out=wrong.csv
[[ -s wrong-charts/report.html ]] || fail 'a wrong rung: no page'
STATUS=77 expect 77 'all skipped' --out=skipped.csv
[[ ! -e skipped-charts ]] || fail 'all skipped: charts'
STATUS=130 expect 130 'interrupted' --out=cut.csv
[[ ! -e cut-charts && $(<err) == *'finished are in cut.csv'* ]] || fail "interrupted: $(<err)"
STATUS=143 expect 143 'interrupted before there was a row' --out=cut.csv # the file is still that of before
[[ $(<err) != *finished* ]] || fail "interrupted before there was a row: $(<err)"
STATUS=2 expect 2 'bad flags' --out=bad.csv --nonsense
[[ ! -e bad.csv && ! -e bad-charts ]] || fail 'bad flags: something was made'
rm -f version-asked
expect 0 'version' --version
[[ -e version-asked && $(<out) == "$("$PROGRAM" --version)" ]] || fail "version: $(<out)"
for flag in --crossovers=mine.csv --watch --list; do
    expect 0 "$flag measures nothing" "$flag"
    ! grep -qE -- '--(out|samples)' flags || fail "$flag: rungbench was given $(<flags)"
done

end_test
