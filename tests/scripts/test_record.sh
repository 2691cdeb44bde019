#!/usr/bin/env bash
# scripts/record.sh does each step once, goes on where it stopped, and keeps what was finished.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$2/tests/scripts/fake_checkout.sh"
enter_folder
PATH=$2/tests/plot/svg_only:$PATH
make_checkout "$2"
cd checkout
cat >scripts/record/steps.txt <<'END_OF_STEPS'
# a comment
info   -    1   1   - rungbench --info >$txt
second -    5   5   ^ladder- rungbench --suite=second --out=$csv
card   -    5   -   - rungbench --suite=card --out=$csv
cards  gpus 5   5   - rungbench --suite=cards --out=$csv
large  -    5   5   ^ladder- rungbench --suite=large --out=$csv
tests  tests 5  5   - rungbench --suite=tests --out=$csv
data   data 5   5   - rungbench "${data[@]}" --suite=data --out=$csv
narrow -    9999 9999 - rungbench --suite=long "${narrow[@]}" --out=$csv
END_OF_STEPS
git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm one

# Stands in for rungbench: notes what it was asked, and gives two rows.
export REAL=$1 RUNGBENCH=$here/stand-in
zcat "$2/results/two-cores/default.csv.gz" | awk 'NR == 1 || (/matmul\/mnist-valid5\/cpu_(reordered|auto)\/hot/ && rows++ < 2)' >"$here/rows"
python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
many = csv.DictWriter(open(sys.argv[2], "w"), rows[0])
many.writeheader()
many.writerows({**row, "round": number} for number in range(400) for row in rows)' "$here/rows" "$here/many"
cat >"$RUNGBENCH" <<'END_OF_PROGRAM'
#!/usr/bin/env bash
case "$*" in
--summarize=* | --match=*) exec "$REAL" "$@" ;;
--version) echo "rungbench 0 ${REVISION-$(git -C "$HERE/checkout" rev-parse --short=12 HEAD)}" && exit ;;
*--require=cuda*) exit "${CUDA-77}" ;;
*--require=gpus*) exit "${GPUS-77}" ;;
esac
echo "$*" >>"$HERE/asked"
[[ "$*" != *--suite=${FAIL-none}* ]] || { echo 'rungbench: it cannot' >&2; exit 2; }
echo "  device ${DEVICE-one}"
[[ -z ${EMPTY-} ]] || exit 0
rows=$HERE/rows
[[ "$*" != *--suite=large* ]] || rows=$HERE/many
for flag in "$@"; do [[ $flag != --out=* ]] || cp "$rows" "${flag#*=}"; done
exit "${WRONG-0}"
END_OF_PROGRAM
chmod +x "$RUNGBENCH"

# expect STATUS TEXT COMMAND...: the exit status, and what stderr has
expect() {
    local status=0
    "${@:3}" >"$here/out" 2>"$here/err" || status=$?
    [[ $status -eq $1 ]] || fail "${*:3}: status $status, expected $1: $(cat "$here/err")"
    grep -qF -e "$2" "$here/err" || fail "${*:3}: no '$2' in: $(cat "$here/err")"
}
asked() { grep -c -e "$1" "$here/asked" || true; }

expect 2 'expected a name' scripts/record.sh
expect 2 'expected a name' scripts/record.sh ../up
expect 2 '--minutes=none' scripts/record.sh here --minutes=none
expect 2 '--data=nowhere' scripts/record.sh here --data=nowhere
expect 2 '--steps=: expected a value' scripts/record.sh here --steps=
expect 2 '--steps=third: no such step' scripts/record.sh here --steps=info,third

mkdir -p results/taken && touch results/taken/other.csv
expect 2 'has files, but no record.csv' scripts/record.sh taken
CUDA=1 expect 2 'cannot measure' scripts/record.sh here
REVISION=0123456789ab expect 2 'is of revision 0123456789ab' scripts/record.sh here
expect 3 'missing still: narrow' scripts/record.sh short --minutes=99
EMPTY=yes expect 2 'has written nothing' scripts/record.sh empty --steps=second
WRONG=1 expect 1 'was wrong' scripts/record.sh wrong --steps=second
rm "$here/asked"

FAIL=second expect 2 'it cannot' scripts/record.sh here
[[ $(ls results/here) == $'info.txt\nrecord.csv' ]] || fail "after a failure: $(ls results/here)"
expect 3 'missing still: narrow' scripts/record.sh here --minutes=99
expect 0 'all is in' scripts/record.sh here
[[ $(asked suite=second) -eq 2 && $(asked suite=long) -eq 1 ]] || fail "done twice: $(cat "$here/asked")"
[[ $(asked 'suite=card\|suite=data\|suite=tests') -eq 0 ]] || fail "without a card or data: $(cat "$here/asked")"
[[ $(grep -o -e '--shape=' "$here/asked" | wc -l) -gt 9 ]] || fail "shapes: $(cat "$here/asked")"
for step in second large narrow; do
    [[ -s $(compgen -G "results/here/$step.csv*") ]] || fail "no file of $step"
    grep -qF "## $step" results/here/README.md || fail "README.md lacks $step"
done
[[ $(grep -cF '2 of 2 rows were measured' results/here/README.md) -eq 3 ]] || fail 'README.md counts no rows'
cmp -s <(zcat results/here/large.csv.gz) "$here/many" || fail 'a large file is not what was written'
[[ $(ls results/here/*-charts) == $'results/here/large-charts:\nladder-matmul-mnist-valid5-dark.svg\nladder-matmul-mnist-valid5.svg\n\nresults/here/second-charts:\nladder-matmul-mnist-valid5-dark.svg\nladder-matmul-mnist-valid5.svg' ]] || fail "charts: $(ls results/here)"
grep -qF 'src="second-charts/ladder-matmul-mnist-valid5.svg"' results/here/README.md || fail 'README.md shows no chart'
mkdir -p "$here/given/mnist" && touch "$here/given/a.jpg"
GPUS=0 expect 0 'data: some' scripts/record.sh here --data="$here/given"
[[ $(asked "--mnist=$here/given/mnist --image=$here/given/a.jpg") -eq 1 && $(asked suite=cards) -eq 1 ]] || fail "data: $(cat "$here/asked")"

# A file that was removed is made again; another machine, another run and none of its steps are refused.
rm results/here/narrow.csv
scripts/record.sh here --draw 2>"$here/err" || fail "a step whose file is gone: $(cat "$here/err")"
grep -q '^Not done: .*narrow' results/here/README.md || fail 'README.md has a step whose file is gone'
DEVICE=two expect 2 'is of another machine' scripts/record.sh here
exec 7<results/here
flock 7
expect 2 'another run' scripts/record.sh here
exec 7<&-
expect 0 'all is in' scripts/record.sh here
[[ $(asked suite=long) -eq 2 && $(grep -c '^narrow,' results/here/record.csv) -eq 1 ]] || fail "not done again: $(cat results/here/record.csv)"
expect 2 'no step can be done' scripts/record.sh none --steps=data
expect 2 'nothing is recorded' scripts/record.sh none --draw
mkdir results/bare && cp results/here/record.csv results/bare
expect 2 'no step has a file' scripts/record.sh bare --draw
expect 2 'has neither' scripts/record.sh here --data="$here/fake"

# What is there already can be drawn by a later revision, which measures nothing; what cannot be drawn leaves the older charts.
echo >>scripts/record.sh
rm results/here/README.md
scripts/record.sh here --draw 2>"$here/err" || fail "--draw: $(cat "$here/err")"
[[ -s results/here/README.md ]] || fail 'not written again'
cp -r results/here "$here/before"
printf '#!/bin/sh\nexit 1\n' >"$here/fake/gnuplot" && chmod +x "$here/fake/gnuplot"
expect 2 'second: no charts' scripts/record.sh here --draw
rm "$here/fake/gnuplot"
diff -r results/here "$here/before" || fail 'a chart that cannot be drawn changes what was there'
expect 2 'has changes' scripts/record.sh there
git -c user.name=a -c user.email=a@b commit -qam two
CUDA=0 expect 2 'is of revision' scripts/record.sh here
end_test
