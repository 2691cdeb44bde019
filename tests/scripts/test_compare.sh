#!/usr/bin/env bash
# Google Benchmark's compare.py reads our JSON, and runs us.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$(realpath "$1")
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3 # Debian's own, which has Debian's scipy

if [[ ! -e $compare ]] || ! "$python" -c 'import scipy' 2>/dev/null; then
    skip "no $compare (Debian: libbenchmark-tools) or no scipy (python3-scipy)"
fi

enter_folder
export CUDA_VISIBLE_DEVICES='' # so that rows of a GPU have no time
rows='--suite=smoke --filter=^grayscale/.*/(cpu_|cuda_1d/) --modes=hot --benchmark_min_time=0.001s'
# shellcheck disable=SC2086  # several flags
"$rungbench" $rows --json=once.json >/dev/null 2>err || fail "rungbench: $(<err)"
"$rungbench" --suite=smoke --filter='^grayscale/.*/cuda_1d/' --json=nothing.json >/dev/null 2>err || [[ $? -eq 77 ]] || fail "rungbench: $(<err)"
# All in one process, which imports scipy once: compare.py's answer to each line of flags is in a file of its number. It runs the
# program itself, twice, with flags of its own, and passes on those behind.
"$python" -W error -c 'import contextlib, os, runpy, sys
compare = sys.argv[1]
sys.path.insert(0, os.path.dirname(compare))
for number, flags in enumerate(sys.stdin, 1):
    sys.argv = [compare, "--no-color", *flags.split()]
    with open(f"answer{number}", "w") as answer, contextlib.redirect_stdout(answer):
        runpy.run_path(compare, run_name="__main__")' "$compare" >out 2>err <<END || fail "compare.py: $(tail -n 1 err)"
benchmarks once.json once.json
benchmarks once.json nothing.json
-a benchmarks $rungbench $rungbench ${rows/|cuda_1d\//} --benchmark_repetitions=3
END

# says NUMBER REGEX: a line of that answer matches.
says() {
    grep -qE -- "$2" "answer$1" || fail "no line '$2' in:"$'\n'"$(<"answer$1")"
}

lacks() {
    ! grep -qE -- "$2" "answer$1" || fail "a line '$2' in:"$'\n'"$(<"answer$1")"
}

# One round: no repetitions, no aggregates. What has no time is there with zeros, as its own programs write it.
row=grayscale/thumb
says 1 "^$row/cpu_tuned/hot +\+0.0000 +\+0.0000 +[1-9]"
says 1 "^$row/cuda_1d/hot +\+0.0000 +\+0.0000 +0 +0 +0 +0$"
lacks 1 '_pvalue|_median'
says 2 '^Benchmark '
lacks 2 "^$row.* [1-9][0-9]*$"
says 3 '^OVERALL_GEOMEAN '
says 3 "^$row/cpu_scalar/hot_pvalue .*U Test, Repetitions: 3 vs 3"
for aggregate in mean median stddev cv; do says 3 "^$row/cpu_tuned/hot_$aggregate +[+-]"; done
end_test
