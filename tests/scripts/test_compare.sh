#!/usr/bin/env bash
# Google Benchmark's compare.py reads our JSON, of the files that test_report_json has left in the folder named, and runs us.
# Usage: test_compare.sh FOLDER RUNGBENCH
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
folder=$1
rungbench=$2
compare=/usr/share/benchmark/compare.py
python=/usr/bin/python3 # Debian's own, which has Debian's scipy

if [[ ! -e $compare ]] || ! "$python" -c 'import scipy' 2>/dev/null; then
    skip "no $compare (Debian: libbenchmark-tools) or no scipy (python3-scipy)"
fi

# run FLAG...: compare.py's answer, or its last words.
run() {
    "$python" -W error "$compare" --no-color "$@" 2>compare.err || fail "compare.py $*: $(tail -n 1 compare.err)"
}

# says TEXT REGEX: a line of the text matches.
says() {
    grep -qE -- "$2" <<<"$1" || fail "no line '$2' in:"$'\n'"$1"
}

lacks() {
    ! grep -qE -- "$2" <<<"$1" || fail "a line '$2' in:"$'\n'"$1"
}

row=matmul/mnist
text=$(run benchmarks "$folder/base.json" "$folder/new.json")
[[ $(grep -cE "^$row/cuda_tiled/hot +\+0.5000 +\+0.5000 +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$" <<<"$text") -eq 10 ]] ||
    fail "not ten repetitions of cuda_tiled, each half as slow again:"$'\n'"$text"
says "$text" "^$row/cuda_tiled/hot_pvalue +0\.000[0-9] .*U Test, Repetitions: 10 vs 10$"
says "$text" "^$row/cublas/hot_pvalue +1\.0000 .*U Test, Repetitions: 10 vs 10$"
says "$text" "^$row/cuda_naive/hot_pvalue .*U Test, Repetitions: 10 vs 9$"
for aggregate in mean median stddev; do
    says "$text" "^$row/cuda_tiled/hot_$aggregate +\+0.5000"
    says "$text" "^$row/cublas/hot_$aggregate +\+0.0000"
done
says "$text" "^$row/cuda_tiled/hot_cv +[+-]0.0000"
says "$text" '^OVERALL_GEOMEAN '
# What only one of them has a time for, or neither, is not compared.
lacks "$text" "$row/(cpu_tuned|cpu_scalar|openblas)/"

text=$(run -a benchmarks "$folder/base.json" "$folder/new.json")
lacks "$text" "^$row/cuda_tiled/hot "
says "$text" "^$row/cuda_tiled/hot_median +\+0.5000"

text=$(run filters "$folder/base.json" cuda_tiled cublas)
says "$text" "^$row/\[cuda_tiled vs. cublas\]/hot_median +-0.7000 +-0.7000 +40180 +12054 +40180 +12054$"

# One round: no repetitions, no aggregates.
text=$(run benchmarks "$folder/base-once.json" "$folder/new-once.json")
says "$text" "^$row/cuda_tiled/hot +\+0.5000"
says "$text" "^$row/cublas/hot +\+0.0000"
lacks "$text" '_pvalue|_median'

# A run that measured nothing.
text=$(run benchmarks "$folder/base.json" "$folder/nothing.json")
says "$text" '^Benchmark '
lacks "$text" "^$row"

# It runs the program itself, twice, with flags of its own, and passes on those behind.
text=$(run -a benchmarks "$rungbench" "$rungbench" --suite=smoke --filter='^grayscale/.*/cpu_' --modes=hot --benchmark_min_time=0.001s \
    --benchmark_repetitions=3)
says "$text" '^grayscale/thumb/cpu_tuned/hot_median '
says "$text" '^grayscale/thumb/cpu_scalar/hot_pvalue .*3 vs 3'

end_test
