#!/usr/bin/env bash
# rungbench-gate as its users meet it: two programs in one sitting, two files, the self-test, and everything that can be wrong
# with these. The programs are scripts that print rows with known times.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/ask_gate.sh"
fake=$2/tests/gate/fake_rungbench.sh

# program NAME [VARIABLE=VALUE...]: a fake of that name
program() {
    printf '#!/bin/sh\nNAME=%s %s\n. %q\n' "$1" "${*:2}" "$fake" >"$1"
    chmod +x "$1"
}

# one_line WHAT PATTERN: stderr is one line, and that matches
one_line() {
    if [[ $(wc -l <err) -ne 1 ]] || ! grep -qE -- "$2" err; then fail "$1: stderr is: $(cat err)"; fi
}

# complains STATUS PATTERN FLAG...: the gate ends so, with one line on stderr, which matches
complains() {
    expect "$1" "${*:3}" "$gate" "${@:3}"
    one_line "${*:3}" "$2"
}

# rates_complain PATTERN ARGUMENT...: so does rates.sh, with 2
rates_complain() {
    expect 2 "rates: ${*:2}" "$rates" "${@:2}"
    one_line "rates: ${*:2}" "$1"
}

# rounds_of FILE FROM TO: those before TO; to compare many takes seconds
rounds_of() { awk -F, -v from="$2" -v to="$3" 'NR == 1 || ($6 >= from && $6 < to)' "$1"; }

program base SEED=1
program same SEED=2
program slow SEED=2 FACTOR=1.05
program fast SEED=2 FACTOR=0.9
program noisy SEED=2 NOISE=0.2

# One sitting: screen, confirm, verdicts.
says 0 '^gate passed: 3 rows: 3 cleared$' --sitting ./base ./same
CALLS="$here/calls" says 1 '^  slower +1\.0[45][0-9]+ .*matmul/a.1/x/graph$' --sitting ./base ./slow
has 'a slower build' '^gate failed: 3 rows: 1 slower, 2 cleared$'
[[ $(awk '{ print $1 }' calls | sort -n | uniq -c | awk '{ print $1 * 100 + $2 }' | paste -sd ' ') == "$(seq -s ' ' 200 221)" ]] ||
    fail "rounds are not numbered from 0 to 21, two of each: $(cat calls)"
[[ $(wc -l <calls) -eq 44 ]] || fail "8 pairs and 14 are $(wc -l <calls) calls"
[[ $(grep -c -F 'matmul/a\.1/x/graph)$' calls) -eq 28 ]] || fail "the confirmation is not of the slower row alone: $(cat calls)"
awk '{ seen[$1 $2]++; if (NR == 1 || $1 != last) { if (NR > 1 && n != 2) exit 1; n = 0; first[$2]++; last = $1 } n++ }
    END { exit !(first["base"] == 11 && first["slow"] == 11) }' calls || fail "rounds are not pairs in a balanced order: $(cat calls)"
program coded CODE=feed
program coded_slow SEED=2 FACTOR=1.05 CODE=feed
program recoded_slow SEED=2 FACTOR=1.05 CODE=feed FIRST_CODE=beef
CALLS="$here/coded.calls" says 0 '^  same code +1\.0[0-9]+ .*matmul/a.1/x/graph' --csv=coded.csv --sitting ./coded ./coded_slow
has 'the same code, slower' '^gate passed: 3 rows: 3 same code$'
[[ $(cut -d ' ' -f 1 coded.calls | sort | uniq -c | tr -s ' \n' ' ') == ' 2 0 2 1 ' ]] || fail "what cannot be slower runs again: $(<coded.calls)"
[[ $(cut -d , -f 2,25 coded.csv | sort | uniq -c | tr -s ' \n' ' ') == ' 3 same code,yes 1 verdict,same_code ' ]] ||
    fail "same_code: $(<coded.csv)"
CALLS="$here/recoded.calls" says 1 '^gate failed: 3 rows: 1 slower, 2 same code$' --sitting ./coded ./recoded_slow
has 'other code, slower' ' 8 pairs of rounds in one sitting \(--seed=[0-9]+\), 2 of 2 rows that need no more, then 14 of 1 row,'
[[ $(awk '{ print ($1 > 1) ($3 ~ /c\/yy/ || $3 == ".") }' recoded.calls | sort | uniq -c | tr -s ' \n' ' ') == ' 4 01 40 10 ' ]] ||
    fail "not only what has other code runs again: $(<recoded.calls)"
# A row that only the new side has takes part in the first pairs, as do the rows of the same code; what was not timed in
# each of their rounds goes on.
program coded_more SEED=2 CODE=feed TROUBLE=more
CALLS="$here/more.calls" says 0 '^gate passed: 4 rows: 3 same code, 1 new$' --sitting ./coded ./coded_more
[[ $(wc -l <more.calls) -eq 4 ]] || fail "a row more: $(<more.calls)"
program coded_late SEED=2 CODE=feed TROUBLE=skipped 'ROUNDS="n!=1"'
says 1 '^gate failed: 3 rows: 1 newly skipped, 2 same code$' --sitting ./coded ./coded_late
program coded_bound SEED=2 CODE=feed BOUND=yes
expect 3 'the same code, launch-bound' "$gate" --sitting ./coded ./coded_bound
program unlike SEED=2 FACTOR=1.05 TROUBLE=unlike TROUBLE_ROUND=8
expect 1 'an answer that is another one in the confirmation' "$gate" --sitting ./base ./unlike
has 'an answer that is another one' '^  failed .*a\.1/x/graph \(not the same in every round: .* digest beef, and .* it had feed'
says 0 '^  faster +0\.9' --sitting ./base ./fast
program deaf SEED=2 FACTOR=1.05 DEAF=1 TROUBLE=one_fails TROUBLE_ROUND=8
says 1 '^gate failed: 3 rows: 1 slower, 2 cleared$' --sitting ./base ./deaf # what was cleared is not asked for again
says 3 '^gate inconclusive: .*inconclusive' --sitting ./base ./noisy
has 'a noisy build' 'quieter machine'
has 'a noisy build' 'in one sitting \(--seed=[0-9]+\), then 14 of [1-3] rows?, then 14 of [1-3] rows?,'

# The same seed runs the sides in the same order.
for run in 1 2; do expect 0 'a seed' env CALLS="$here/order.$run" "$gate" --seed=7 --sitting ./base ./same; done
cmp -s order.1 order.2 || fail 'the same seed gives another order'
expect 0 'a seed' env CALLS="$here/order.3" "$gate" --seed=8 --sitting ./base ./same
! cmp -s order.1 order.3 || fail 'another seed gives the same order'

# Rows that go wrong in the new build, or in the base.
program failing SEED=2 TROUBLE=failed
program one_wrong SEED=2 TROUBLE=one_fails
program skipping SEED=2 TROUBLE=skipped
program crashing SEED=2 TROUBLE=crash TROUBLE_ROUND=2
says 1 '^  failed .*\(wrong at index 3\)' --sitting ./base ./failing
CALLS="$here/wrong" says 1 '^  inconclusive .*matmul/a.1/x/graph \(the run ended early: another row is wrong, or nothing more could be measured\)$' --sitting ./base ./one_wrong
[[ $(wc -l <wrong) -eq 2 ]] || fail "after a wrong row in round 0 there are $(wc -l <wrong) calls"
says 1 '^gate failed: 3 rows: 3 newly skipped$' --sitting ./base ./skipping
CALLS="$here/crash" says 1 '^  failed .*matmul/a-1/x/graph \(crashed: its process was ended by signal 11' --sitting ./base ./crashing
[[ $(wc -l <crash) -eq 6 ]] || fail "after a crash in round 2 there are $(wc -l <crash) calls"
complains 2 'base: ./crashing: crashed: its process was ended by signal 11' --sitting ./crashing ./base
says 77 '^gate all skipped' --sitting ./skipping ./skipping
expect 1 'all skipped, strictly' "$gate" --strict --sitting ./skipping ./skipping
expect 1 'a noisy build, strictly' "$gate" --strict --json=strict.json --sitting ./base ./noisy
has 'a noisy build, strictly' '"exit_status": 1' strict.json
program broken TROUBLE=2 TROUBLE_ROUND=1
complains 2 'new: ./broken ended with exit status 2: rungbench: something is wrong in round 1' --sitting ./base ./broken
program nogpu TROUBLE=77
expect 1 'no GPU, strictly' "$gate" --strict --sitting ./nogpu ./nogpu
expect 77 'no GPU' "$gate" --sitting ./nogpu ./nogpu
has 'no GPU' 'ended with exit status 77: rungbench: something is wrong' err
has 'no GPU' 'note: --cpu-only compares the rungs of the CPU' err
complains 77 'ended with exit status 77: rungbench: something is wrong' --cpu-only --sitting ./nogpu ./nogpu
says 1 '^gate failed: 3 rows: 3 newly skipped$' --sitting ./base ./nogpu
has 'no GPU for the new build alone' 'nothing can be measured: its process ended with exit status 77: rungbench: something'
complains 2 '^rungbench-gate: base: ./nogpu' --sitting ./nogpu ./base
program lost TROUBLE=77 TROUBLE_ROUND=3
expect 3 'a GPU that is lost' "$gate" --sitting ./noisy ./lost
program late TROUBLE=77 TROUBLE_ROUND=7 SEED=2
says 3 '^  inconclusive .*matmul/a.1/x/graph \(the run ended early' --sitting ./base ./late
program coded_late CODE=feed TROUBLE=77 TROUBLE_ROUND=1
says 0 '^gate passed: 3 rows: 3 same code$' --sitting ./coded ./coded_late
expect 2 'a GPU that is lost to both' "$gate" --sitting ./lost ./lost
program dying TROUBLE=crash CRASH_AT_ONCE=1
says 1 '^gate failed: 3 rows: 3 failed$' --sitting ./base ./dying
program killed TROUBLE=kill
complains 2 'new: ./killed was ended by signal 9' --sitting ./base ./killed

# A row that is ignored is timed with the others, and needs no more.
echo 'ignore matmul/a\.1/.* not ours' >ignored
CALLS="$PWD/ignored-calls" says 0 'ignored: not ours' --exceptions=ignored --sitting ./base ./slow
[[ $(wc -l <ignored-calls) -eq 16 ]] || fail "a row that is ignored was confirmed: $(cat ignored-calls)"

# What the screen did not clear must be timed in the confirmation, on both sides.
program later SEED=1 TROUBLE=skipped TROUBLE_ROUND=8
program slower_later SEED=2 FACTOR=1.5 TROUBLE=skipped TROUBLE_ROUND=8
expect 3 'a base that skips the confirmation' "$gate" --sitting ./later ./slow
says 3 'not timed in the confirmation' --sitting ./later ./slower_later
program failing_row SEED=2 TROUBLE=one_fails
says 0 '^  not gated .*matmul/a-1/x/graph \(wrong at index 3\)$' --sitting ./failing_row ./failing_row
program cut TROUBLE=cut
complains 2 'truncated' --sitting ./base ./cut
complains 2 './nowhere: cannot be run' --sitting ./base ./nowhere

# On CPUs six processes make a round, in files too.
CALLS="$here/turns" says 0 '^gate passed: 3 rows: 3 cleared$' --cpu-only --keep=turned --sitting ./base ./same
has 'turns' '8 pairs of rounds \(the least of six processes each\) in one sitting'
[[ $(awk '{ print $1 }' turns | sort -n | uniq -c | awk '{ print $1 * 100 + $2 }' | paste -sd ' ') == "$(seq -s ' ' 200 247)" ]] ||
    fail "turns are not numbered from 0 to 47, two of each: $(cat turns)"
says 0 'rounds \(the least of six processes each\) of one sitting, in pairs' --cpu-only turned/base.csv turned/new.csv
awk '{ of[$1] = of[$1] " " $2 } END { for (i = 0; i < 48; i++) first[i] = of[i]; for (r = 0; r < 8; r++) {
    for (t = 1; t < 6; t++) if (first[6 * r + t] != first[6 * r]) mixed++ } exit !(mixed > 8) }' turns || fail "no coin a turn: $(cat turns)"
program much_slower SEED=2 FACTOR=1.2
CALLS="$here/slow.turns" says 1 '^gate failed: 3 rows: 1 slower, 2 cleared$' --cpu-only --sitting ./base ./much_slower
[[ $(wc -l <slow.turns) -eq 264 ]] || fail "6 x 2 x 22 processes are $(wc -l <slow.turns) calls"
program crashing_late SEED=2 TROUBLE=crash TROUBLE_ROUND=14
CALLS="$here/crash.turns" says 1 '^  failed .*matmul/a-1/x/graph \(crashed: its process was ended by signal 11' --cpu-only --keep=crashed --sitting ./base ./crashing_late
[[ $(wc -l <crash.turns) -eq 30 ]] || fail "after a crash in turn 14 there are $(wc -l <crash.turns) calls"
# Rates of 36 rounds, which are the 8 again and again.
mkdir many
for side in base new; do awk -F, -v OFS=, 'NR == 1 { print; next } { for (n = $6; n < 216; n += 48) { $6 = n; print } }' turned/$side.csv >many/$side.csv; done
expect 0 'rates in turns' "$rates" --cpu-only --runs=40 many
has 'rates in turns' '^3 rows, 36 pairs of rounds in 1 sitting'
has 'rates in turns' "^a round's time is the least of 6 processes$"
sed -i '/^1,[^,]*,ok,,[^,]*,21[1-5],/d' many/base.csv
sed -i '/^1,[^,]*,ok,,[^,]*,21[0-5],/d' many/new.csv
rates_complain '35 rounds; expected at least 36' --cpu-only many
for side in base new; do rounds_of many/$side.csv 138 216 >few.$side; done
expect 0 'files of an interrupted sitting' "$gate" --cpu-only few.base few.new

# Flags for rungbench come after the gate's own.
cat >flags <<'END'
#!/bin/sh
printf '%s\n' "$@" >>flags.seen
exit 2
END
chmod +x flags
expect 2 'flags' "$gate" --cpu-only --sitting ./flags ./flags -- --suite=smoke --threads=2
[[ $(head -n 6 flags.seen | paste -sd ' ') == '--suite=gate --backend=cpu --threads=1 --min-time=0.02 --suite=smoke --threads=2' ]] || fail "flags: $(cat flags.seen)"

# --why: ncu profiles a launch of the slower row. The program gets the flags that all rounds have.
mkdir bin
printf '#!/bin/sh\necho "$*" >>ncu.seen\n' >bin/ncu
chmod +x bin/ncu
PATH="$here/bin:$PATH" says 1 '^  ncu counts nothing here: it saw no kernel\.$' --why --sitting ./base ./slow
grep -qE ' \./base --suite=gate --backend=cuda --require=cuda --threads=[0-9]+ --min-time=0\.02 --profile=matmul/a\.1/x/graph$' ncu.seen ||
    fail "what ncu was called with: $(cat ncu.seen)"
expect 1 'a slower row without ncu' env PATH="$here/bin:$PATH" "$gate" --sitting ./base ./slow
[[ $(wc -l <ncu.seen) -eq 1 ]] || fail "ncu was called without --why: $(cat ncu.seen)"

# Rounds that are kept can be compared again, and the self-test's rates had again.
expect 0 'keeping rounds' "$gate" --keep=kept --sitting ./base ./same
says 0 'rounds of one sitting, in pairs' kept/base.csv kept/new.csv
cp -r kept before
ulimit -S -f 2 # kB: a few rounds
expect 2 'a full disk' "$gate" --keep=kept --sitting ./base ./same
ulimit -S -f "$(ulimit -H -f)"
for arm in base new; do
    cmp -s "kept/$arm.csv" "before/$arm.csv" || fail "a full disk has replaced the older $arm.csv"
    [[ -s kept/$arm.csv.partial && $(grep -c "kept/$arm.csv.partial" err) -eq 1 ]] || fail "a full disk: where is the new $arm.csv? $(cat err)"
done
rm -r kept/*.partial before
complains 2 'kept/base.csv: line [0-9]+: .* is not a CPU row' --cpu-only kept/base.csv kept/new.csv
expect 0 'a self-test' "$gate" --seed=1 --pairs=44 --slowdown=.:5 --keep=self --selftest ./base
expect 0 'rates' "$rates" --runs=40 self
has 'rates' '^3 rows, 44 pairs of rounds in 1 sitting, on Fake$'
has 'the self-test' 'disjoint runs +0 of 2 alarm \(95 %: 0 to 65.8 %\), 0 of 2 inconclusive'
has 'the self-test' '\+[45]\.[0-9]+ % +100\.0 %  matmul/a.1/x/graph: 1 of 1 found'
has 'the self-test' '^ +\+5 %  3 of 3 found '
cp -r self again
sed -i 's/^\(1,[^,]*,ok,,\)[^,]*/\1another/' again/*.csv
expect 0 'rates of two folders' "$rates" --runs=40 self again
has 'rates of two folders' '^3 rows, 88 pairs of rounds in 2 sittings'
has 'rates of two folders' 'disjoint runs +0 of 4 alarm'
sed -i 's/Fake/Another/' again/*.csv
rates_complain 'devices .*; expected one machine' self again
rm again/new.csv
rates_complain 'again/new.csv: cannot be read' self again
rates_complain '0 arguments; expected folders' --runs=100
rates_complain '[-]-runs=1e3: expected a number from 40' --runs=1e3 self
rounds_of self/base.csv 0 12 >few.base
rounds_of self/slowed-1.csv 0 12 >few.slowed
says 1 'slowed on purpose' few.base few.slowed
complains 2 'slowed on purpose' few.slowed few.base
rates_complain '8 rounds; expected at least 36' kept

# Files of two runs.
run_of() { # SEED SITTING [FACTOR]: ten rounds
    local round
    for round in {0..9}; do
        SEED=$1 FACTOR=${3-1} sh "$fake" --sitting="$2:$round"
    done | awk 'NR == 1 || !/^schema/'
}
run_of 1 first >old.csv
run_of 2 second >new.csv
run_of 3 third 1.06 >slower.csv
says 0 'rounds of two runs, not paired' old.csv new.csv
expect 1 'a slower run' "$gate" old.csv slower.csv
sed 's/GPU-1/GPU-2/' slower.csv >other.csv
complains 2 "device_uuid is 'GPU-1' in old.csv and 'GPU-2' in other.csv" old.csv other.csv
says 3 '^  suspected .*matmul/a.1/x/graph$' --other-device old.csv other.csv
awk -F, 'NR == 1 || $6 < 1' old.csv >few.csv
says 3 'too few rounds; 3 rows need at least 4 rounds per side' few.csv slower.csv

# Reports: whole or not there.
expect 1 'reports' env GITHUB_STEP_SUMMARY="$here/summary" "$gate" --markdown=r.md --junit=r.xml --json=r.json --csv=r.csv old.csv slower.csv
for file in r.md r.xml r.json r.csv; do [[ -s $file ]] || fail "$file is empty"; done
cmp -s r.md summary || fail 'the job summary is not the Markdown report'
expect 1 'a summary is appended to' env GITHUB_STEP_SUMMARY="$here/summary" "$gate" old.csv slower.csv
[[ $(wc -c <summary) -eq $((2 * $(wc -c <r.md))) ]] || fail 'the job summary is not appended to'
/usr/bin/python3 -c 'import json, sys, xml.etree.ElementTree as tree
assert json.load(open("r.json"))["exit_status"] == 1
suite = tree.parse("r.xml").getroot()
assert len(list(suite.iter("failure"))) == 1' || fail 'reports do not say that one row is slower'
cp r.json before.json
complains 2 'nowhere/r.json: cannot be written' --json=nowhere/r.json old.csv new.csv
expect 2 'a report into nowhere beside another' "$gate" --json=r.json --csv=nowhere/r.csv old.csv new.csv
cmp -s r.json before.json || fail 'a run that never began changed the report of an earlier one'

# Where nothing can be compared, the reports say why.
# refused WHAT STATUS REASON COMMAND...: with all reports
refused() {
    rm -f r.md r.xml r.json r.csv summary
    expect "$2" "$1" env GITHUB_STEP_SUMMARY="$here/summary" "$gate" --markdown=r.md --junit=r.xml --json=r.json --csv=r.csv "${@:4}"
    [[ ! -s out ]] || fail "$1: stdout is: $(cat out)"
    cmp -s r.md summary || fail "$1: the job summary is not the Markdown report"
    /usr/bin/python3 -c 'import csv, html, json, sys, xml.etree.ElementTree as tree
status, reason = int(sys.argv[1]), sys.argv[2]
assert reason in html.unescape(open("r.md").read()), open("r.md").read()
document = json.load(open("r.json"))
assert document["exit_status"] == status and reason in document["error"] and document["rows"] == [], document
suite = tree.parse("r.xml").getroot().find("testsuite")
kind = "skipped" if status == 77 else "error"
case, = suite.findall("testcase")
assert reason in case.find(kind).text == case.find(kind).get("message"), tree.tostring(suite)
counts = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
assert counts == {"tests": 1, "failures": 0, "errors": int(kind == "error"), "skipped": int(kind == "skipped")}, counts
row, = csv.DictReader(open("r.csv"))
assert row["verdict"] == "not compared" and reason in row["reason"] and None not in row and None not in row.values(), row
' "$2" "$3" || fail "$1: reports do not say that nothing could be compared"
}
refused 'bad input' 2 "device_uuid is 'GPU-1' in old.csv and 'GPU-2' in other.csv" old.csv other.csv
refused 'a program that does not run' 2 './nowhere: cannot be run' --sitting ./base ./nowhere
refused 'a program that refuses its flags' 2 'ended with exit status 2: rungbench: something' --sitting ./broken ./base
refused 'a folder that cannot be made' 2 '--keep=no/where: the folder cannot be made' --keep=no/where --sitting ./base ./same
refused 'no GPU, on both sides' 77 'ended with exit status 77' --sitting ./nogpu ./nogpu
refused 'what a script says' 2 'a <b> & "c"' --sitting --refuse='a <b> & "c"' --keep=kept main topic
[[ ! -s err ]] || fail "--refuse says on stderr: $(cat err)"
has 'what a script says' '"name": "topic"' r.json
[[ -z $(find . -name '*.partial') ]] || fail "left behind: $(find . -name '*.partial')"

# Sides can be given names, which stand in reports and messages instead of files and programs.
says 0 '^base main \(1a2b3c4\)' --json=r.json --base-name='main (1a2b3c4)' --new-name=topic old.csv new.csv
has 'named files' '^new  topic'
has 'named files' '"name": "main \(1a2b3c4\)"' r.json
complains 2 '^rungbench-gate: new: topic ended with exit status 2: rungbench: something' --base-name=main --new-name=topic --sitting ./base ./broken
complains 2 '^rungbench-gate: base: main: crashed' --base-name=main --sitting ./crashing ./base
complains 2 '^rungbench-gate: topic: .*truncated' --new-name=topic --sitting ./base ./cut

# Command lines that are refused are in tests/badinput, cells in test_recording.c.
expect 0 --help "$gate" --help
has --help '^Exit status: 0'
expect 0 --version "$gate" --version

# Interrupted: no process, no verdict, and finished rounds are kept.
mkfifo held
program hanging SEED=2 TROUBLE=hang TROUBLE_ROUND=1 HELD=held
for signal in INT TERM; do
    interrupted $signal $((128 + $(kill -l $signal))) measuring "$gate" --keep="kept-$signal" --json=no.json --sitting ./base ./hanging
    [[ ! -e no.json && ! -e no.json.partial ]] || fail "$signal: a report of an interrupted run"
    [[ $(grep -c '^1,' "kept-$signal/base.csv") -ge 3 ]] || fail "$signal: finished rounds are not kept"
    ! grep -q '^gate' out || fail "$signal: a verdict all the same"
done

end_test
