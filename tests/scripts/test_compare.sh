#!/usr/bin/env bash
# Google Benchmark's compare.py reads our JSON, of the files that test_report_json has left in the folder named, and runs us.
# Usage: test_compare.sh FOLDER RUNGBENCH
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
folder=$(realpath "$1")
rungbench=$(realpath "$2")
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3 # Debian's own, which has Debian's scipy

if [[ ! -e $compare ]] || ! "$python" -c 'import scipy' 2>/dev/null; then
    skip "no $compare (Debian: libbenchmark-tools) or no scipy (python3-scipy)"
fi

enter_folder
# All in one process, which imports scipy once: compare.py's answer to each line of flags is in a file of its number. It runs the
# program itself, twice, with flags of its own, and passes on those behind.
"$python" -W error -c 'import contextlib, os, runpy, sys
compare = sys.argv[1]
sys.path.insert(0, os.path.dirname(compare))
for number, flags in enumerate(sys.stdin, 1):
    sys.argv = [compare, "--no-color", *flags.split()]
    with open(f"answer{number}", "w") as answer, contextlib.redirect_stdout(answer):
        runpy.run_path(compare, run_name="__main__")' "$compare" >out 2>err <<END || fail "compare.py: $(tail -n 1 err)"
benchmarks $folder/base.json $folder/new.json
benchmarks $folder/base-once.json $folder/new-once.json
benchmarks $folder/base.json $folder/nothing.json
-a benchmarks $rungbench $rungbench --suite=smoke --filter=^grayscale/.*/cpu_ --modes=hot --benchmark_min_time=0.001s --benchmark_repetitions=3
END

# says TEXT REGEX: a line of the text matches.
says() {
    grep -qE -- "$2" <<<"$1" || fail "no line '$2' in:"$'\n'"$1"
}

lacks() {
    ! grep -qE -- "$2" <<<"$1" || fail "a line '$2' in:"$'\n'"$1"
}

row=matmul/mnist
text=$(<answer1)
[[ $(grep -cE "^$row/cuda_tiled/hot +\+0.5000 +\+0.5000 +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$" <<<"$text") -eq 10 ]] ||
    fail "not ten repetitions of cuda_tiled, each half as slow again:"$'\n'"$text"
says "$text" "^$row/cuda_tiled/hot_pvalue +0\.000[0-9] .*U Test, Repetitions: 10 vs 10$"
says "$text" "^$row/cublas/hot_pvalue +1\.0000 .*U Test, Repetitions: 10 vs 10$"
says "$text" "^$row/cuda_naive/hot_pvalue .*U Test, Repetitions: 10 vs 10$"
for aggregate in mean median stddev; do
    says "$text" "^$row/cuda_tiled/hot_$aggregate +\+0.5000"
    says "$text" "^$row/cublas/hot_$aggregate +\+0.0000"
done
says "$text" "^$row/cuda_tiled/hot_cv +[+-]0.0000"
# What has no time is there with zeros, as its own programs write it.
says "$text" "^$row/openblas/hot +\+0.0000 +\+0.0000 +0 +0 +0 +0$"
lacks "$text" "$row/(cpu_auto|cpu_scalar|openblas)/hot_median"

# One round: no repetitions, no aggregates.
text=$(<answer2)
says "$text" "^$row/cuda_tiled/hot +\+0.5000"
says "$text" "^$row/cublas/hot +\+0.0000"
lacks "$text" '_pvalue|_median'

# A run that measured nothing.
text=$(<answer3)
says "$text" '^Benchmark '
lacks "$text" "^$row.* [1-9][0-9]*$"

text=$(<answer4)
says "$text" '^OVERALL_GEOMEAN '
says "$text" '^grayscale/thumb/cpu_tuned/hot_median '
says "$text" '^grayscale/thumb/cpu_scalar/hot_pvalue .*3 vs 3'

end_test
