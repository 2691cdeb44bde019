#!/usr/bin/env bash
# The command line from end to end, as a stranger would use it.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
rungbench=$1 source=$2
enter_folder

# Four rows, whose rungs are verified soonest. One thread: others would wait for each other, at length on a busy machine.
quick=(--suite=none --size=map:n=100 --min-time=0.001 --filter='/cpu_(scalar|tuned)/' --threads=1 --progress=off)
later=("${quick[@]}" --sitting=a:1) # which verifies no other sizes

# Names agree: the list, the CSV, the registry.
run 0 --list
cp out list
if [[ $(wc -l <err) -ne 1 ]] || ! grep -q "$(wc -l <list) rows of --suite=mnist" err; then fail "--list does not say which suite it lists: $(cat err)"; fi
run 0 --benchmark_list_tests=true
cmp -s out list || fail '--benchmark_list_tests differs from --list'
ops=$(sed -nE 's/^OP\(([a-z0-9_]+)\).*/\1/p' "$source/bench/table/rungs.def" | paste -sd '|')
modes=$(sed -nE 's/^(FIRST_)?MODE\((.*)\)/\2/p' "$source/bench/measure/modes.def" | paste -sd '|')
grep -vE "^($ops)/[a-zA-Z0-9-]+/[a-z0-9_]+/($modes)\$" list >off && fail "a name is off: $(cat off)"
some=(--suite=smoke --filter='^(map|dot)/.*/(cpu|cuda|cublas)')
run 0 --list "${some[@]}"
cp out smoke-list
run 0 "${some[@]}" --min-time=0.001 --threads=1 --out=smoke.csv
columns smoke.csv name | sort >names
sort smoke-list | cmp -s - names || fail 'the names in the CSV are not those that --list prints'
[[ ! -e smoke.csv.partial ]] || fail 'smoke.csv.partial was left behind'
grep -q 'cpu_scalar' out || fail 'no table on stdout'

# What a row says.
while IFS='|' read -r status variant median reason; do
    case $status in
    ok) [[ -n $median && -z $reason ]] || fail "$variant is ok, with median '$median' and reason '$reason'" ;;
    skipped) [[ -z $median && -n $reason ]] || fail "$variant is skipped, with median '$median' and reason '$reason'" ;;
    *) fail "$variant has status $status: $reason" ;;
    esac
done < <(columns smoke.csv status variant time_median_s reason | tr '\t' '|') # not a tab: read would join empty cells
[[ $(columns smoke.csv baseline speedup variant mode | awk -F'\t' '$3 == "cpu_scalar" && ($1 != "cpu_scalar" || $2 != 1)' | wc -l) -eq 0 ]] ||
    fail 'the baseline is not 1 against itself'
[[ $(columns smoke.csv status rms_err max_err | awk -F'\t' '$1 == "ok" && ($2 == "") != ($3 == "") || $2 > $3 + 0' | wc -l) -eq 0 ]] ||
    fail 'a largest error below the mean, or one alone'

# Where results go.
run 0 "${quick[@]}" --format=csv
[[ $(wc -l <out) -eq 5 ]] || fail "--format=csv: $(wc -l <out) lines, expected a header and 4 rows"
run 0 "${quick[@]}" --out=-
head -1 out | grep -q '^schema,name,' || fail '--out=- does not start with the header'
run 0 "${quick[@]}" --rounds=2 --explain
[[ $(sed '1,/^4 rows/d' out | grep -cE '^map/[a-z0-9/_-]+$') -eq 4 ]] || fail '--explain: not each row has its paragraph'
[[ $(sed '1,/^4 rows/d' out | grep -c '^  It takes ') -eq 4 ]] || fail '--explain does not begin with the time'
run 0 "${later[@]}" --progress=on
[[ $(grep -o '^\[./4\]' err | sort -u | tr -d '\n') == '[1/4][2/4][3/4][4/4]' ]] || fail "--progress=on does not count the rows: $(cat err)"
echo 'before' >kept.csv
run 2 --filter=no-such-row --out=kept.csv
[[ $(cat kept.csv) == before ]] || fail 'a run that measured nothing touched an existing file'
run 0 "${later[@]}" --out=kept.csv
[[ $(wc -l <kept.csv) -eq 5 ]] || fail 'an existing file was not replaced'

# JSON and samples: as files, on stdout, under Google Benchmark's names.
run 0 "${quick[@]}" --json=quick.json --samples=samples.csv --out=quick.csv
for file in quick.json samples.csv quick.csv; do [[ -s $file && ! -e $file.partial ]] || fail "$file is not there, or not finished"; done
head -1 samples.csv | grep -qx 'name,round,index,seconds,iterations' || fail "the samples' header is '$(head -1 samples.csv)'"
[[ $(columns quick.csv samples | awk '{ sum += $1 } END { print sum }') -eq $(($(wc -l <samples.csv) - 1)) ]] ||
    fail 'the samples are not as many as the rows say'
for flags in --format=json --json=- --benchmark_out=-; do
    run 0 "${later[@]}" $flags
    head -c 1 out | grep -q '{' || fail "$flags: stdout is no JSON"
done
run 0 "${later[@]}" --benchmark_out=google.csv --benchmark_out_format=csv --benchmark_display_aggregates_only=true
[[ $(head -n 1 google.csv) == name,iterations,real_time,cpu_time,* && $(wc -l <google.csv) -eq 5 ]] || fail "--benchmark_out_format=csv: $(cat google.csv)"
run 0 "${quick[@]}" --benchmark_format=csv --benchmark_display_aggregates_only --rounds=2 --benchmark_out=table.txt --benchmark_out_format=console
grep -q 'cpu_[a-z]*/[a-z]*_median,2,' out || fail "--benchmark_display_aggregates_only: no median: $(cat out)"
if grep -q 'cpu_[a-z]*/[a-z]*,' out; then fail "--benchmark_display_aggregates_only: $(cat out)"; fi
grep -q 'median of 2 rounds' table.txt || fail "--benchmark_out_format=console: $(cat table.txt)"
run 0 "${quick[@]}" --benchmark_dry_run --rounds=3 --out=dry.csv --context=branch=main
[[ $(columns dry.csv round iterations context | sort -u) == $'0\t1\tbranch=main' ]] || fail "--benchmark_dry_run: $(columns dry.csv round iterations context)"
run 0 "${quick[@]}" --benchmark_out=google.json --benchmark_repetitions=2
[[ $(grep -c '"repetition_index": 1' google.json) -eq 4 ]] || fail 'two repetitions are not in the JSON'

# Rounds: one file, every row in each, in another order.
run 0 "${quick[@]}" --rounds=3 --out=rounds.csv
[[ $(columns rounds.csv round | sort | uniq -c | tr -s ' ' | tr '\n' ';') == ' 4 0; 4 1; 4 2;' ]] || fail 'not three rounds of four rows'
[[ $(columns rounds.csv sitting | sort -u | wc -l) -eq 1 ]] || fail 'rounds of one sitting have several names for it'
[[ -z $(sort err | uniq -d) ]] || fail "rounds say the same thing more than once: $(sort err | uniq -d)"
grep -q 'median of 3 rounds' out || fail 'the table does not say that it shows medians of rounds'
[[ $(grep -c '^  cpu_tuned .* [mnu]s ' out) -eq 2 ]] || fail 'the table of rounds has not each row once'
echo 'before' >kept.csv
run 2 --rounds=2 --device=77 "${quick[@]}" --out=kept.csv
[[ $(cat kept.csv) == before ]] || fail 'rounds that cannot begin touched an existing file'
[[ $(wc -l <err) -eq 1 ]] || fail 'rounds that cannot begin are not told of once'

# A round by itself: its name and number, the order of that round, and what operations write is written.
run 0 "${quick[@]}" --sitting=mine.1:1 --out=sitting.csv
[[ $(columns sitting.csv sitting round | sort -u) == $'mine.1\t1' ]] || fail "--sitting=mine.1:1 is '$(columns sitting.csv sitting round | sort -u)'"
[[ $(columns sitting.csv name) == "$(columns rounds.csv round name | sed -n 's/^1\t//p')" ]] || fail '--sitting=mine.1:1 has not the order of round 1'
[[ $(columns sitting.csv name) != "$(columns quick.csv name)" ]] || fail '--sitting=mine.1:1 has the order of the table'
run 0 "${quick[@]}" --sitting=mine.1:1 --seed=44 --out=seed.csv
[[ $(columns sitting.csv name) != "$(columns seed.csv name)" ]] || fail '--sitting=mine.1:1 has one order whatever the seed'

# Timer, profiler.
"$rungbench" --calibrate --min-time=0.001 >out 2>err || [[ $? -eq 1 ]] || fail '--calibrate neither passes nor fails'
grep -q '1000.000 us' out || fail '--calibrate prints no table'
run 2 --profile=matmul/square-256/cpu_auto
grep -q 'no profiler' err || fail "--profile of a rung without a GPU: $(cat err)"

# Verification.
run 0 --verify --suite=smoke --filter='^map/.*/cpu_scalar/' --rounds=2
grep -q 'correct' out || fail '--verify in rounds says nothing'

# The simulator, in hot alone; large work is skipped.
run 0 --suite=none --shape=17x5x3 --filter=/sim_naive --min-time=0.001 --sitting=a:1 --out=sim.csv
[[ $(columns sim.csv backend mode status | sort -u) == $'sim\thot\tok' ]] || fail "simulated rows are $(columns sim.csv backend mode status)"
grep -q '^  simulated: sim_naive hot' out || fail 'the table does not mark simulated rows'
run 77 --suite=none --shape=1000x1000x1000 --filter=/sim_tiled/
tr -s '\n ' ' ' <out | grep -q "too slow: .* and a simulated rung's limit is 2e+07" || fail "a large simulated row is not skipped: $(cat out)"

# A photo.
printf 'P6\n1 1\n255\n\377\0\0' >dot.ppm
run 0 --suite=none --image=dot.ppm --gray-out=dot.png --filter=/cpu_tuned/hot --min-time=0.001 --sitting=a:1
[[ $(head -c 4 dot.png | tail -c 3) == PNG ]] || fail 'the grey PNG is no PNG'
# In round 5 the photo comes before the other workload.
run 0 --suite=none --image=dot.ppm --gray-out=late.png --image-size=1x1 --filter=/cpu_tuned/hot --min-time=0.001 --sitting=a:5
cmp -s dot.png late.png || fail 'round 5 of a sitting, by itself, writes no grey PNG, or another workload as the photo'

# A fixed number of samples, in rounds too, of workloads that say what varies.
run 0 "${quick[@]}" --size=map:n=2..3 --samples-per-row=3 --rounds=2 --filter='/cpu_scalar/hot' --out=fixed.csv --samples=each.csv
[[ $(columns fixed.csv round samples stop_reason axes | sort) == $'0\t3\tfixed\t\n0\t3\tfixed\tn=2\n0\t3\tfixed\tn=3\n1\t3\tfixed\t\n1\t3\tfixed\tn=2\n1\t3\tfixed\tn=3' ]] ||
    fail "--samples-per-row=3: $(columns fixed.csv round samples stop_reason axes)"
[[ $(wc -l <each.csv) -eq 19 ]] || fail "--samples-per-row=3: $(wc -l <each.csv) lines of samples"

# OpenMP binds the main thread to one CPU before main(), but what measures has all of them.
for bind in false true; do
    OMP_PROC_BIND=$bind run 0 --suite=none --size=map:n=100 --filter=/cpu_scalar/hot --min-time=0.001 --sitting=a:1 --out=$bind.csv
done
[[ $(columns false.csv threads affinity) == $(columns true.csv threads affinity) ]] || fail "OMP_PROC_BIND=true: $(columns true.csv threads affinity)"

# Of two values the last counts, and that is said once.
run 0 --suite=none --size=map:n=3 --size=map:n=4 --filter=x --benchmark_filter=/cpu_scalar/hot --min-time=0.001 --min-time=0.001s --sitting=a:1 --out=twice.csv
[[ $(columns twice.csv shape | wc -l) -eq 2 && $(grep -c 'has no effect' err) -eq 2 ]] || fail "flags given twice: $(cat err)"
grep -q -- '--filter=x has no effect: --filter=/cpu_scalar/hot comes after it' err || fail "--filter twice: $(cat err)"

# No GPU, or one: --require tells.
status=0
"$rungbench" --require=cuda --suite=smoke --filter=/cuda_ --min-time=0.001 >out 2>err || status=$?
[[ $status -eq 77 || $status -eq 0 ]] || fail "--require=cuda: status $status"
[[ $status -eq 0 || $(wc -l <err) -eq 1 ]] || fail '--require=cuda: not one line on stderr'
if [[ $status -eq 77 ]]; then
    run 77 --suite=smoke --filter='/(cuda_|cublas)' --out=skipped.csv
    [[ $(columns skipped.csv status | sort -u) == skipped ]] || fail 'rows of an absent GPU are not all skipped'
    run 77 --profile=matmul/mnist/cuda_tiled/cold
    echo 'before' >kept.csv
    run 77 --require=cuda "${quick[@]}" --out=kept.csv --json=kept.csv.json
    [[ $(cat kept.csv) == before && ! -e kept.csv.json ]] || fail '--require=cuda without a GPU touched files'
    run 77 --require=cuda --rounds=3 "${quick[@]}"
    [[ $(wc -l <err) -eq 1 ]] || fail '--require=cuda in rounds: not one line on stderr'
fi

end_test
