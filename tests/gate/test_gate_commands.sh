#!/usr/bin/env bash
# rungbench-gate with commands for a shell, of other benchmarks: what is run, what is read of it, and what goes wrong. They print the
# results of scripts, whose times are known.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/ask_gate.sh"
export TMPDIR=$here

# complains STATUS PATTERN FLAG...: the gate ends so, and the last line of stderr matches
complains() {
    expect "$1" "${*:3}" "$gate" "${@:3}"
    tail -n 1 err | grep -qE "^rungbench-gate: $2" || fail "${*:3}: stderr is: $(<err)"
}

# A benchmark with rows a and b, three times each, in the form of plain CSV; FACTOR slows a. Each run adds its filter to calls.
cat >bench <<'END'
#!/bin/sh
echo "${1-}" >>calls
awk -v seed=$$ -v factor="${FACTOR-1}" 'BEGIN {
    srand(seed)
    print "name,round,seconds"
    for (round = 0; round < 3; round++) {
        printf "a,%d,%.9g\n", round, 1e-3 * factor * (1 + 0.002 * rand() + round)
        printf "b,%d,%.9g\n", round, 2e-3 * (1 + 0.002 * rand() + round)
    }
}'
END
chmod +x bench

# The same stages as of two programs, of all rows: the others are dropped where the benchmark does not filter.
says 0 '^gate passed: 2 rows: 2 cleared$' --base=./bench --new=./bench
grep -q '^8 pairs of rounds in one sitting (--seed=[0-9]*); device, clocks and code unknown, ratio' out || fail "method: $(<out)"
grep -q '^base ./bench$' out || fail "the base has another name: $(<out)"
[[ $(wc -l <calls) -eq 16 ]] || fail "8 pairs are $(wc -l <calls) calls"
rm calls
says 1 '^  slower +1\.(19|20)[0-9]+ .* 1\.00[0-9]* ms +1\.20[0-9]* ms  a$' --base='./bench {filter}' --new='FACTOR=1.2 ./bench {filter}'
[[ $(grep -cFx '^(a)$' calls) -eq 28 && $(grep -cFx . calls) -eq 16 ]] || fail "stages: $(sort calls | uniq -c)"
says 1 '^  slower .* b$' --threshold=2 --base='./bench | sed s/2e-3/2e-3/' --new="./bench | awk -F, -v OFS=, '/^b/ { \$3 *= 1.05 } 1'"
says 1 '^gate failed: 1 row: 1 slower$' --filter='^a' --base=./bench --new='FACTOR=1.2 ./bench'
rm calls
says 0 '^gate passed: 1 row: 1 cleared$' --filter='-^a' --base='./bench {filter}' --new='FACTOR=1.2 ./bench {filter}'
[[ $(sort -u calls) == . ]] || fail "a negated filter came to the command: $(sort -u calls)"
says 0 '^gate passed: 1 row: 1 cleared; 1 more only in the base, 0 only in the new side$' --common --base=./bench --new='./bench | grep -v ^a'
says 1 '^  missing .* a$' --base=./bench --new='./bench | grep -v ^a'

# Where the names are too long for one argument, all rows are run, and the others dropped.
cat >long <<'END'
#!/bin/sh
echo "$1" >>calls
awk -v seed=$$ -v factor="$FACTOR" 'BEGIN {
    srand(seed)
    print "name,round,seconds\nb,0,0.001"
    for (row = 0; row < 70; row++)
        printf "%0500d,0,%.9g\n", row, 1e-3 * factor * (1 + 0.002 * rand())
}'
END
chmod +x long
rm calls
says 1 '^gate failed: 71 rows: 70 slower, 1 cleared$' --base='FACTOR=1 ./long {filter}' --new='FACTOR=1.2 ./long {filter}'
grep -q ', then [0-9]* of 70 rows;' out || fail "confirmed: $(<out)"
[[ $(sort -u calls) == . ]] || fail "a filter of 70 long names: $(sort -u calls | head -c 200)"

# A file of each run, and what lies beside it, is gone afterwards.
says 0 '^gate passed' --base='test -e {out} && echo >stale; ./bench >{out}; echo noise' --new='mkdir {out}-bin && ./bench >{out}-bin/x && mv {out}-bin/x {out}'
[[ ! -e stale ]] || fail 'a process finds the file of the one before'
[[ -z $(find . -name 'rungbench-gate-*') ]] || fail "left behind: $(find . -name 'rungbench-gate-*')"
says 0 '^gate passed' --read=csv --base=./bench --new=./bench
complains 2 '(base|new): ./bench: no column .schema., .*; it ended with exit status 0$' --read=rungbench --base=./bench --new=./bench

# What is wrong with one. All of its complaints are told.
complains 2 'new: ./nowhere ended with exit status 127: .*not found' --base=./bench --new=./nowhere
complains 2 'new: true ended with exit status 0 and wrote nothing$' --base=./bench --new=true
complains 2 'base: .* ended with exit status 3: two$' --base='echo one >&2; echo two >&2; exit 3' --new=./bench
[[ $(head -n 2 err | paste -sd ' ') == 'one two' ]] || fail "what a command complains of: $(<err)"
complains 2 'new: echo hello: .*; it ended with exit status 0$' --base=./bench --new='echo hello'
complains 2 'new: echo .\{\}.: JSON of no known tool' --base=./bench --new="echo '{}'"
complains 2 'new: ./bench; printf .*: holds a zero byte, ' --base=./bench --new="./bench; printf 'c\\0,0,1\\n'"
complains 2 'new: echo name,round,seconds: has no row, ' --base=./bench --new='echo name,round,seconds'
complains 2 'new: ./bench; true \{out\}: cannot be read' --base=./bench --new='./bench; true {out}'
says 1 '^  failed .* a \(crashed: its process was ended by signal 11' --base=./bench --new='./bench; kill -SEGV $$'
complains 2 'base: .*: crashed' --base='kill -SEGV $$' --new=./bench
complains 2 'new: kill -KILL .* was ended by signal 9' --base=./bench --new='kill -KILL $$'
says 1 '^  failed .* a \(its process took longer than 0.4 s and was killed' --process-limit=0.4 --base=./bench --new='sleep 60; ./bench'
for skips in '' 'echo noise; ' 'echo noise; true {out}; ' 'echo noise >{out}; '; do
    says 1 '^gate failed: 2 rows: 2 newly skipped$' --base=./bench --new="${skips}echo no GPU >&2; exit 77"
    grep -q 'ended with exit status 77: no GPU' out || fail "why $skips skips: $(<out)"
done
says 0 '^gate passed' --base='./bench; exit 77' --new=./bench
says 0 '^gate passed' --base='./bench; exit 1' --new=./bench
says 1 '^  failed .* a \(no memory\)' --base=./bench --new="./bench | sed '1s/\$/,status,reason/; 2,\$s/\$/,,/; s/^a,.*/a,0,,failed,no memory/; 2!{/^a/d}'"
mkdir 'a b'
expect 2 'a folder that is no plain word' env TMPDIR="$here/a b" "$gate" --base=./bench --new='true {out}'
grep -q "{out}: no folder $here/a b/[^/]* can be made (its name is no plain word)$" err || fail "a folder that is no plain word: $(<err)"
rmdir 'a b'
expect 2 'a folder that is not there' env TMPDIR="$here/a" "$gate" --base=./bench --new='true {out}'
expect 0 'a folder by a path that is not whole' env TMPDIR=. "$gate" --base='./bench | (cd / && cat >{out})' --new=./bench

# Words of the command line that do not go together; those of one kind are in tests/badinput.
for flags in --base=true '--new=true' '--base=true --new=true x' '--base= --new=true' '--selftest --keep=x --base=true --new=true' \
    '--filter=( --base=true --new=true' '--filter=x --sitting a b' '--read=csv --sitting a b' '--base=true --new=true -- --suite=smoke' \
    '--selftest --keep=x --slowdown=x --base=true'; do
    # shellcheck disable=SC2086  # several words
    complains 2 '' $flags
done

# Rounds that are kept can be compared again, in pairs.
expect 1 'keeping rounds' "$gate" --keep=kept --base=./bench --new='FACTOR=1.2 ./bench'
says 1 'rounds of one sitting, in pairs; device, clocks and code unknown' kept/base.csv kept/new.csv
complains 2 '--base-program, .*: mean nothing with results of other tools$' --why --base-program="$gate" --new-program="$gate" kept/base.csv kept/new.csv

# The self-test: the command on both sides, and on a third with known figures slowed.
expect 0 'a self-test' "$gate" --seed=1 --pairs=44 --slowdown='^a$:5' --keep=self --selftest --base=./bench
expect 0 'rates' "$rates" --threshold=1 --runs=40 self
for line in '^2 rows, 44 pairs of rounds in 1 sitting, on an unknown device$' 'disjoint runs +0 of 2 alarm \(95 %: 0 to 65.8 %\)' \
    '^ +\+2 %  [0-9]+ of [0-9]+ found' '\+(4.9|5.0)[0-9]* % +100\.0 %  a: 1 of 1 found' ' 0\.0 %  b: 0 of ' '^ +14  [ab]$'; do
    grep -qE -- "$line" out || fail "rates: no line matches $line in: $(<out)"
done
says 1 'then 20 of 1 row[,;]' --pairs=20 --base=./bench --new='FACTOR=1.2 ./bench'

# Interrupted: whatever the shell has started ends.
mkfifo held
cat >holding <<'END'
exec 9>held
echo >&9
sleep 120
END
for signal in INT TERM; do
    interrupted $signal $((128 + $(kill -l $signal))) measuring "$gate" --json=no.json --base='sh holding; true {out}' --new='sh holding; true'
    [[ ! -e no.json ]] || fail "$signal: a report of an interrupted run"
    [[ -z $(find . -name 'rungbench-gate-*') ]] || fail "$signal: left behind: $(find . -name 'rungbench-gate-*')"
done

end_test
