#!/usr/bin/env bash
# What scripts/bench.sh makes of a run: files, charts and page, exit statuses. The build and the measuring are stood in for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"

export PROGRAM CSV
PROGRAM=$(realpath "$1")
CSV=$(realpath "$2")/tests/plot/one-row.csv
make_folder
make_checkout "$2"
cd "$here"

# Writes the made-up results where it is told to, and ends as STATUS says.
program rungbench <<'END'
[[ $1 != --version ]] || touch "$HERE/version-asked"
[[ $* != --summarize=* && $1 != --match=* && $1 != --version ]] || exec "$PROGRAM" "$@"
printf '%s\n' "$@" >"$HERE/flags"
while [[ $# -gt 0 ]]; do
    case $1 in
    --out=*) out=${1#*=} ;;
    --out) out=$2 ;;
    --samples=*) samples=${1#*=} ;;
    esac
    shift
done
[[ ${STATUS-0} -ne 2 ]] || exit 2
if [[ -n ${out-} ]]; then
    cp "$CSV" "$out"
    [[ -z ${samples-} ]] || printf '%s\n' name,round,index,seconds,iterations matmul/mnist/cpu_scalar/hot,0,0,0.512,1 >"$samples"
fi
exit "${STATUS-0}"
END

# expect STATUS WHAT FLAG...
expect() {
    local status=0
    checkout/scripts/bench.sh "${@:3}" >out 2>err </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status instead of $1: $(tail -n 3 err)"
}

# flag WHAT PATTERN: rungbench was given one that matches
flag() {
    grep -qE -- "$2" flags || fail "$1: no flag matches $2 among: $(tr '\n' ' ' <flags)"
}

expect 0 'no flags'
results=$(echo checkout/results/local/*Z.csv)
[[ -s $results && -s ${results%.csv}-samples.csv && -s ${results%.csv}-charts/report.html ]] || fail "no flags: $(find checkout/results)"
[[ -s ${results%.csv}-charts/ladder-matmul-mnist.png ]] || fail 'no flags: no chart'
grep -q "^bench.sh: results, .*: .*$results$" err || fail "no flags: $(<err)"
! grep -q 'built after' err || fail "a wait that was none: $(<err)"
SECONDS=60 expect 0 'a long build'
grep -q '^bench.sh: built after 6. s$' err || fail "a long build: $(<err)"
rm -r checkout/results/local

# From here on charts count, and not what they look like.
cat >fake/gnuplot <<'END'
#!/usr/bin/env bash
sed -n "s/^out = '\(.*\)'$/\1/p" "$2" | while read -r name; do
    if [[ $name == *.svg ]]; then echo '<svg  width="9" height="9"></svg>'; else printf 'IEND\256B`\202'; fi >"$name"
done
END
chmod +x fake/gnuplot
expect 0 'a file' --out=mine.csv
[[ -s mine-charts/report.html ]] || fail "a file: $(ls . mine-charts)"
expect 0 'a file, in two words' --out 'my own.csv'
[[ -s my\ own-charts/report.html && ! -e checkout/results/local ]] || fail "a file, in two words: $(ls . checkout/results)"
flag 'a file, in two words' '^--samples=my own-samples.csv$'
STATUS=1 expect 1 'a wrong rung' --out=wrong.csv
[[ -s wrong-charts/report.html ]] || fail "a wrong rung: no chart"
STATUS=2 expect 2 'bad flags' --out=bad.csv
[[ ! -e bad.csv && ! -e bad-charts ]] || fail "bad flags: something was made"
rm -r ./*-charts ./*.csv

expect 0 'a suite' --out=mine.csv --suite=smoke
flag 'a suite' '^--samples=mine-samples.csv$'
flag 'a suite' '^--suite=smoke$'
[[ -s mine-samples.csv ]] || fail "a suite: $(ls)"
expect 0 'samples elsewhere' --out=mine.csv --samples=there.csv
[[ $(grep -c -- --samples flags) -eq 1 && -s there.csv ]] || fail "samples elsewhere: $(<flags)"
for out in mine.txt /dev/null; do
    expect 0 "to $out" --out="$out"
    ! grep -q -- --samples flags || fail "to $out: $(<flags)"
done
STATUS=77 expect 77 'all skipped' --out=skipped.csv
[[ ! -e skipped-charts ]] || fail 'all skipped: charts'
STATUS=130 expect 130 'interrupted' --out=cut.csv
[[ ! -e cut-charts && $(<err) == *'finished are in cut.csv'* ]] || fail "interrupted: $(<err)"
STATUS=143 expect 143 'interrupted before there was a row' --out=cut.csv # the file is still that of before
[[ $(<err) != *finished* ]] || fail "interrupted before there was a row: $(<err)"

# Who may install has a table before what charts need is there.
cp checkout/scripts/setup.sh kept
cat >checkout/scripts/setup.sh <<'END'
#!/bin/sh
echo "$@" $(ls early.csv 2>/dev/null) >>"$HERE/asked"
END
expect 0 'what is installed' --out=early.csv
mv kept checkout/scripts/setup.sh
groups=build
[[ $EUID -eq 0 ]] || groups='build charts'
[[ $(<asked) == "$groups"$'\n'"charts early.csv" ]] || fail "what is installed, and when: $(<asked)"

rm -f version-asked
expect 0 'version' --version
[[ -e version-asked && $(<out) == "$("$PROGRAM" --version)" ]] || fail "version: $(<out)"
for flag in --crossovers=mine.csv --watch --list; do
    expect 0 "$flag measures nothing" "$flag"
    ! grep -qE -- '--(out|samples)' flags || fail "$flag: rungbench was given $(<flags)"
done

end_test
