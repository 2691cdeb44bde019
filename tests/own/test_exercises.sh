#!/usr/bin/env bash
# The exercises: each is found wrong or slow, at a line of its file, and each solution is right and not slow.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1 exercises=$2/docs/exercises
enter_folder
export XDG_CACHE_HOME=$here/cache CUDA_VISIBLE_DEVICES=

# The list has a paragraph of each.
run 0 --exercise
sed -zE 's/\n +/ /g' out >list
[[ $(wc -l <list) -eq 10 ]] || fail "the list has $(wc -l <list) exercises"
for file in "$exercises"/??_*.cu; do
    name=${file##*/} number=$((10#${name:0:2}))
    grep -qE "^Exercise $number \(.*/$name\) is (wrong|right, but slow): .*exercises/$name:[0-9]+" list || fail "$number: $(grep "^Exercise $number " list)"
    at_length || [[ $number == [17] ]] || continue # a wrong one, and a slow one
    run 0 --exercise=$number --kernel="$exercises/solutions/$name"
    sed -zE 's|\n +| |g' out | grep -q "^Exercise $number .* is solved\." || fail "solution $number: $(tail -n 3 out)"
done

# One is judged as in the list, and what would do nothing is refused.
run 1 --exercise=3
cp "$exercises/solutions/01_missing_guard.cu" one.cu
for flags in =0 =11 =x '=3 --list' '=3 --op=map' '=3 --include=.' ' --kernel=mine.cu' ' --device=0' "=1 --kernel=$exercises/solutions/01_missing_guard.cu --kernel=one.cu"; do
    # shellcheck disable=SC2086  # several flags
    run 2 --exercise$flags
    [[ $(wc -l <err) -eq 1 && ! -s out ]] || fail "--exercise$flags: $(cat err)"
done

# What is not counted is not slow, and not solved either.
cat >transpose.c <<'END'
void solution(const float *x, float *y, int m, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j * m + i] = x[i * n + j];
}
END
run 2 --exercise=7 --kernel=transpose.c
tail -n 2 out | tr -s '\n ' ' ' | grep -q 'is not judged: .*expected' || fail "a .c file: $(tail -n 2 out)"

# Nor is what loads by asynchronous copies.
sed -E 's|(y\[.* = expf\()x\[.*\] (.*)|{ __pipeline_memcpy_async(\&copied[lane], \&x[row * n + j], 4); __pipeline_commit(); __pipeline_wait_prior(0); \1copied[lane] \2 }|
    s|int row = .*|& __shared__ float copied[WARP];|; 1i #include <cuda_pipeline.h>' "$exercises/solutions/08_softmax_passes.cu" >copies.cu
run 2 --exercise=8 --kernel=copies.cu
tail -n 2 out | tr -s '\n ' ' ' | grep -q 'is not judged: .*expected' || fail "asynchronous copies: $(tail -n 2 out)"

# After Ctrl-C, whenever it comes, nothing is said of an exercise.
cat >waits.cu <<'END'
#include <unistd.h>
extern "C" void solution(const float *, float *, int) { pause(); }
END
status=0
timeout --preserve-status -s INT 3 "$rungbench" --exercise=1 --kernel=waits.cu >out 2>err || status=$?
if [[ $status -ne 130 ]] || grep '^Exercise' out; then fail "status $status after a signal: $(cat err)"; fi

# Any simulated kernel is explained: a vector is one access, and rows read by a thread each are many sectors.
cat >lines.cu <<'END'
__global__ void lines(const float *x, float *y, int m, int n)
{
    int row = threadIdx.x;
    float4 sum = {0, 0, 0, 0};
    if (row < m)
        for (int j = 0; j < n; j += 4) {
            float4 part = *(const float4 *)(x + row * n + j);
            sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w};
        }
    if (row < m)
        y[row] = sum.x + sum.y + sum.z + sum.w;
}
extern "C" void solution(const float *x, float *y, int m, int n) { lines<<<1, 32>>>(x, y, m, n); }
END
run 0 --kernel=lines.cu --op=reduce_rows --size=reduce_rows:m=32,n=64 --simulate --explain
tr -s '\n ' ' ' <out | grep -q 'loaded 1.00 times, at [^ ]*lines.cu:7; at [^ ]*lines.cu:7 a warp reads global memory in 32.0 sectors of 32 bytes each time, where 16.0 would do\. $' || fail "explained: $(tail -n 5 out)"
# At banks a word that lanes share is one turn, and every other word is two.
cat >banks.cu <<'END'
__global__ void banks(const float *x, float *y, int n)
{
    __shared__ float words[64];
    int t = threadIdx.x;
    words[t] = words[t + 32] = t < n ? x[t] : 0;
    __syncwarp();
    float first = words[0];
    float other = words[2 * t];
    if (t < n)
        y[t] = (x[t] < 0 ? 0 : x[t]) + 0 * (first + other);
}
extern "C" void solution(const float *x, float *y, int n) { banks<<<1, 32>>>(x, y, n); }
END
run 0 --kernel=banks.cu --op=map --size=map:n=32 --simulate --explain
tr -s '\n ' ' ' <out | grep -q 'banks.cu:5; at [^ ]*banks.cu:8 a warp reads shared memory in 2.0 turns .* where 1.0 would do\. $' || fail "banks: $(tail -n 5 out)"
end_test
