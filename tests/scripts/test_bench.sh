#!/usr/bin/env bash
# What scripts/bench.sh and scripts/growth.sh make of a run: files, charts and page, exit statuses. The build and the measuring
# are stood in for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"

export PROGRAM CSV
PROGRAM=$(realpath "$1")
CSV=$(realpath "$2")/tests/plot/one-row.csv
make_folder
make_checkout "$2"
cd "$here"

# Writes the made-up results where it is told to, of sizes a row for each shape, and ends as STATUS says. The program itself says
# what it takes.
program rungbench <<'END'
[[ $1 != --version ]] || touch "$HERE/version-asked"
[[ $* != --summarize=* && $1 != --match=* && $1 != --version ]] || exec "$PROGRAM" "$@"
printf '%s\n' "$@" >"$HERE/flags"
rows=() sizes=
while [[ $# -gt 0 ]]; do
    case $1 in
    --out=*) out=${1#*=} ;;
    --out) out=$2 ;;
    --samples=*) samples=${1#*=} ;;
    --suite=* | --filter=*) rows+=("$1") ;;
    --size=*) rows+=("$1") sizes=yes ;;
    esac
    shift
done
[[ ${STATUS-0} -ne 2 ]] || exit 2
if [[ -n $sizes ]]; then
    "$PROGRAM" --list "${rows[@]}" >list || exit 2
    head -n 1 "$CSV" >"$out"
    cut -d / -f 2 list | sort -u | while read -r shape; do
        sed "1d; s/mnist,[0-9x]*,/$shape,$shape,/; s|/mnist/|/$shape/|; s/,1e-09,,,,,,,/,1e-09,,,,,1e6,1e7,/" "$CSV" >>"$out"
    done
elif [[ -n ${out-} ]]; then
    cp "$CSV" "$out"
    [[ -z ${samples-} ]] || printf '%s\n' name,round,index,seconds,iterations matmul/mnist/cpu_scalar/hot,0,0,0.512,1 >"$samples"
fi
exit "${STATUS-0}"
END

# expect STATUS SCRIPT WHAT FLAG...
expect() {
    local status=0
    "checkout/scripts/$2.sh" "${@:4}" >out 2>err </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$2.sh, $3: status $status instead of $1: $(tail -n 3 err)"
}

# flag WHAT PATTERN: rungbench was given one that matches
flag() {
    grep -qE -- "$2" flags || fail "$1: no flag matches $2 among: $(tr '\n' ' ' <flags)"
}

expect 0 bench 'no flags'
results=$(echo checkout/results/local/*Z.csv)
[[ -s $results && -s ${results%.csv}-samples.csv && -s ${results%.csv}-charts/report.html ]] || fail "no flags: $(find checkout/results)"
[[ -s ${results%.csv}-charts/speedup-matmul-mnist-hot.png ]] || fail 'no flags: no chart'
grep -q "^bench.sh: results: .*$results$" err || fail "no flags: $(<err)"
expect 0 growth 'no flags'
for shape in Mx784x10 50000xKx10 50000x784xN; do
    [[ -s checkout/results/local/growth-charts/growth-matmul-$shape.svg ]] || fail "no chart of $shape: $(tail -n 3 err)"
done
[[ ! -e checkout/results/local/growth-charts/report.html ]] || fail 'growth.sh draws more than growth'
rm -r checkout/results/local

# From here on charts count, and not what they look like.
cat >fake/gnuplot <<'END'
#!/usr/bin/env bash
sed -n "s/^out = '\(.*\)'$/\1/p" "$2" | while read -r name; do
    if [[ $name == *.svg ]]; then echo '<svg  width="9" height="9"></svg>'; else printf 'IEND\256B`\202'; fi >"$name"
done
END
chmod +x fake/gnuplot
while read -r script chart; do
    expect 0 "$script" 'a file' --out=mine.csv
    [[ -s mine-charts/$chart ]] || fail "$script.sh, a file: $(ls . mine-charts)"
    expect 0 "$script" 'a file, in two words' --out 'my own.csv'
    [[ -s my\ own-charts/$chart && ! -e checkout/results/local ]] || fail "$script.sh, a file, in two words: $(ls . checkout/results)"
    [[ $script == growth ]] || flag 'a file, in two words' '^--samples=my own-samples.csv$'
    STATUS=1 expect 1 "$script" 'a wrong rung' --out=wrong.csv
    [[ -s wrong-charts/$chart ]] || fail "$script.sh, a wrong rung: no chart"
    STATUS=2 expect 2 "$script" 'bad flags' --out=bad.csv
    [[ ! -e bad.csv && ! -e bad-charts ]] || fail "$script.sh, bad flags: something was made"
    rm -r ./*-charts ./*.csv
done <<'END'
bench report.html
growth growth-matmul-50000x784xN.svg
END

expect 0 bench 'a suite' --out=mine.csv --suite=smoke
flag 'a suite' '^--samples=mine-samples.csv$'
flag 'a suite' '^--suite=smoke$'
[[ -s mine-samples.csv ]] || fail "a suite: $(ls)"
expect 0 bench 'samples elsewhere' --out=mine.csv --samples=there.csv
[[ $(grep -c -- --samples flags) -eq 1 && -s there.csv ]] || fail "samples elsewhere: $(<flags)"
for out in mine.txt /dev/null; do
    expect 0 bench "to $out" --out="$out"
    ! grep -q -- --samples flags || fail "to $out: $(<flags)"
done
STATUS=77 expect 77 bench 'all skipped' --out=skipped.csv
[[ ! -e skipped-charts ]] || fail 'all skipped: charts'
STATUS=130 expect 130 bench 'interrupted' --out=cut.csv
[[ ! -e cut-charts && $(<err) == *'finished are in cut.csv'* ]] || fail "interrupted: $(<err)"
STATUS=143 expect 143 bench 'interrupted before there was a row' --out=cut.csv # the file is still that of before
[[ $(<err) != *finished* ]] || fail "interrupted before there was a row: $(<err)"
rm -f version-asked
expect 0 bench 'version' --version
[[ -e version-asked && $(<out) == "$("$PROGRAM" --version)" ]] || fail "version: $(<out)"
for flag in --crossovers=mine.csv --watch --list; do
    expect 0 bench "$flag measures nothing" "$flag"
    ! grep -qE -- '--(out|samples)' flags || fail "$flag: rungbench was given $(<flags)"
done

end_test
