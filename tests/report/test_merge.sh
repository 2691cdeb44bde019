#!/usr/bin/env bash
# --merge: files of several runs beside each other, and as one file.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1
enter_folder

# changed FROM TO COLUMN=VALUE...: a copy with other cells. VALUE may be "*1.5"; "^1.1" is that to the power of the round, "+x" adds text.
changed() {
    python3 -S -c 'import csv, sys
source, target, *changes = sys.argv[1:]
with open(source, newline="") as file:
    rows = list(csv.DictReader(file))
for change in changes:
    column, value = change.split("=", 1)
    for row in rows:
        if value[0:1] in ("*", "^"):
            factor = float(value[1:]) ** (int(row["round"]) if value[0] == "^" else 1)
            row[column] = row[column] and format(float(row[column]) * factor, ".9g")
        elif value.startswith("+"):
            row[column] += value[1:]
        else:
            row[column] = value
with open(target, "w", newline="") as file:
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)' "$@"
}
timed() { # FROM TO VALUE COLUMN=VALUE...: the same with all times
    local times=()
    for column in min q1 median q3 mean ci_low ci_high; do times+=("time_${column}_s=$3"); done
    changed "$1" "$2" "${times[@]}" "${@:4}"
}

run 0 --suite=none --size=map:n=100 --size=map:n=500 --filter='/cpu_(scalar|tuned)/' --rounds=3 --min-time=0.001 --threads=1 \
    --progress=off --out=measured.csv
timed measured.csv even.csv 1e-05
timed even.csv a.csv ^1.1 # rounds of 10, 11 and 12.1 us
changed a.csv b.csv host=other
timed a.csv c.csv '*1.5' host=third
timed a.csv d.csv '*0.98' host=fourth
timed a.csv e.csv '*1.2' host=fifth

# Each run has a column, and the merged file has all rows: it says the same again.
run 0 --merge a.csv b.csv c.csv --out=all.csv
cp out table
cmp -s all.csv <(cat a.csv <(tail -n +2 b.csv) <(tail -n +2 c.csv)) || fail 'the merged file has not the rows of all'
run 0 --merge all.csv
cmp -s out table || fail "of the merged file the table is another: $(diff table out)"
run 0 a.csv --merge b.csv c.csv
cmp -s out table || fail "files before the flag: $(diff table out)"
run 0 --merge a.csv b.csv --out=-
[[ $(cat out) == "$(cat a.csv <(tail -n +2 b.csv))" ]] || fail '--out=- has not the rows of both alone'

# What is slower than the others is named, and nothing else.
tr -s '\n ' ' ' <table | grep -q 'Run 3 (third) is slower than the others: in 8 of 8 rows, in the median by 50.0 %' ||
    fail "the slow one is not named: $(cat table)"
[[ $(grep -c '  3: +50.0 %$' table) -eq 8 && $(grep -c 'Run' table) -eq 1 ]] || fail "not it alone is marked: $(cat table)"
run 0 --merge a.csv e.csv
[[ $(grep -c -e '%' -e 'Run' out) -eq 0 ]] || fail "less than rounds differ among themselves is called slower: $(cat out)"
run 0 --merge a.csv b.csv
[[ $(grep -c -e '%' -e 'Run' out) -eq 0 ]] || fail "one of two equal ones is called slower: $(cat out)"
for i in 5 6 7; do changed a.csv "$i.csv" "host=host$i"; done
run 0 --merge a.csv d.csv c.csv 5.csv 6.csv 7.csv
[[ $(grep -c ' 2 .* 3  3: +50.0 %$' out) -eq 8 ]] || fail "of six, the fastest and the slowest are not told: $(cat out)"

# Each run is judged by itself, whatever others are like.
timed a.csv noisy.csv '^1.6' host=noisy
run 0 --merge a.csv b.csv c.csv noisy.csv
[[ $(grep -c '  3: +50.0 %$' out) -eq 8 ]] || fail "a noisy run hides a slow one: $(cat out)"

# In few rows anything may be slower: such a run is not named.
changed c.csv slow_row.csv host=few
(changed a.csv few.csv host=few && grep -v ',map/500/cpu_scalar/cold,' few.csv && grep ',map/500/cpu_scalar/cold,' slow_row.csv) >few_rows.csv
run 0 --merge a.csv few_rows.csv
[[ $(grep -c '  2: +50.0 %$' out) -eq 1 && $(grep -c 'Run 2' out) -eq 0 ]] || fail "a run with one slow row is named, or the row is not: $(cat out)"

# A row that fails in one run is told with its reason, and of others the times.
changed a.csv wrong.csv host=other status=failed failure=wrong reason='a reason of its own' time_median_s= samples=
run 1 --merge a.csv wrong.csv
[[ $(grep -c WRONG out) -eq 8 && $(grep -c '2: .*a reason of its own' out) -eq 8 ]] || fail "wrong rows are not told: $(cat out)"
changed a.csv skipped.csv host=other status=skipped reason='no such card' time_median_s= samples=
run 0 --merge a.csv skipped.csv
changed skipped.csv none.csv host=third
run 77 --merge skipped.csv none.csv

# What comes from a file stays text.
changed a.csv red.csv variant=$'a\e[31mb' workload=$'c\ed' host=$'e\ef'
changed red.csv other.csv host=$'g\eh'
run 0 --merge red.csv other.csv
! grep -q $'\e' out || fail "a terminal would obey: $(cat -v out)"

# What cannot stand beside each other is refused in one line, and writes nothing.
refused() { # WHAT FLAGS...: stderr has WHAT
    run 2 --merge "${@:2}" --out=refused.csv
    [[ $(wc -l <err) -eq 1 && ! -e refused.csv ]] || fail "$*: more than a line, or a file: $(cat err; ls)"
    grep -q -e "$1" err || fail "$*: another reason: $(cat err)"
}
changed b.csv revision.csv git_rev=0123456789ab
changed b.csv seed.csv seed=43
changed b.csv schema.csv schema=2
changed b.csv blank.csv host=blank input=
changed b.csv elsewhere.csv input=elsewhere
changed b.csv slowed.csv slowdown_pct=3
head -n 5 b.csv >fewer.csv
refused "git_rev.*0123456789ab" a.csv revision.csv
refused "seed.*'42' and '43'" a.csv seed.csv
for round in 1 2; do
    awk -F , -v round=$round 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 1 || $column["round"] == round' b.csv >"round$round.csv"
done
changed round2.csv other_round.csv seed=43
refused "seed.*'42' and '43'" a.csv round1.csv other_round.csv # rounds of one run
refused "input.*'random' and 'elsewhere'" blank.csv a.csv elsewhere.csv
refused 'schema' a.csv schema.csv
refused '[-][-]slowdown' a.csv slowed.csv
refused 'fewer.csv: saw no row' a.csv fewer.csv
refused 'fewer.csv: saw no row' fewer.csv a.csv
refused 'there twice' a.csv a.csv
refused 'saw one run' a.csv
refused 'saw no rows'
refused 'absent.csv: cannot be read' a.csv absent.csv

# The summary says the same, for charts.
run 0 --summarize=all.csv
python3 -S -c 'import json
said = json.load(open("out"))
assert [run["slower"] for run in said["runs"]] == [False, False, True], said["runs"]
assert [round(run["excess_pct"], 6) for run in said["runs"]] == [0, 0, 50], said["runs"]
assert [run["host"] for run in said["runs"]][1:] == ["other", "third"], said["runs"]
for row in said["rows"]:
    assert [one["slower"] for one in row["of_runs"]] == [one["run"] == 3 for one in row["of_runs"]], row
    assert [one["time_s"] for one in row["of_runs"]] == sorted(one["time_s"] for one in row["of_runs"]), row
assert len(said["rows"]) == 8, said["rows"]' || fail 'the summary of several runs says something else'

refused '[-][-]filter: does nothing' a.csv b.csv --filter=x
run 2 --merge a.csv b.csv --out=a.csv
grep -q 'expected different files' err || fail "an input may be the output: $(cat err)"

# The gate compares such files machine by machine.
timed even.csv near.csv ^1.001
head -n 1 near.csv >here.csv
for i in {1..4}; do # sittings of three rounds
    changed near.csv next.csv sitting="s$i"
    grep '^1,map/100/cpu_scalar/hot,' next.csv >>here.csv
done
changed here.csv there.csv host=there sitting=+there
timed there.csv slow.csv '*1.2' code=other git_rev=0123456789ab
cat here.csv <(tail -n +2 there.csv) >base.csv
cat here.csv <(tail -n +2 slow.csv) >new.csv
gate=${rungbench%/*}/rungbench-gate
rungbench=$gate run 0 base.csv base.csv
rungbench=$gate run 1 base.csv new.csv
[[ $(grep -c 'slower.*@there' out) -eq 1 && $(grep -c 'cleared.*@' out) -eq 1 ]] || fail "the gate does not tell machines apart: $(cat out)"
# A sitting of two machines is none.
changed here.csv strange.csv host=there round=7
cat base.csv <(sed -n 2p strange.csv) >mixed.csv
rungbench=$gate run 2 mixed.csv mixed.csv
grep -q "host is '.*' in mixed.csv and '.*' in mixed.csv, expected the same machine" err || fail "a sitting of two machines: $(cat err)"

# A table that nobody reads is no error where a file has the rows.
status=0
"$rungbench" --merge a.csv b.csv --out=unread.csv 2>err | true || status=$?
[[ $status -eq 0 && $(wc -l <unread.csv) -eq 49 ]] || fail "the reader has gone: status $status, $(cat err)"
end_test
