#!/usr/bin/env bash
# Kernels in the forms in which people write them, on the simulator: of every operation, and the verdict on each.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1 source_dir=$2
enter_folder
export XDG_CACHE_HOME=$here/cache
judge=(--progress=off --simulate --verify --filter=/kernel_)
later=(--progress=off --simulate --modes=hot --min-time=1e-9 --sitting=forms:1 --filter=/kernel_) # other sizes are tried in the first round
says() { grep -qF -- "$2" "$1" || fail "$1 does not say '$2': $(head -c 600 "$1")"; }

# What is printed to begin with is a kernel that computes nothing, and right with one line more.
while read -r op sizes code; do
    [[ $op != '#' ]] || continue
    at_length || [[ $op == matmul ]] || continue
    files=()
    for form in plain solve torch; do
        "$rungbench" --starter=$form --op="$op" >out 2>err || continue # not all have tensors
        sed "s|// Your code.*|${code//&/\\&}|" out >"$op-$form.cu"
        files+=("--kernel=$op-$form.cu")
    done
    run 0 "${later[@]}" --op="$op" --size="$op:$sizes" "${files[@]}"
    says out "${#files[@]} rows: ${#files[@]} measured and verified, 0 wrong"
done <"$source_dir/tests/own/elements.txt"
run 2 --starter=torch --op=mnist_step

# A kernel that tiles without guards: the size that is asked for decides, and --general all.
cat >tiles.cuh <<'END'
#pragma once
#include "solve.h"
#include "side.h"
// no launcher, no guard
__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[SIDE][SIDE], Bs[SIDE][SIDE];
    int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < K; p += SIDE) {
        As[threadIdx.y][threadIdx.x] = A[row * K + p + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(p + threadIdx.y) * N + col];
        __syncthreads();
        for (int i = 0; i < SIDE; i++)
            sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
END
mkdir include
echo '#define SIDE (FACTOR * 4)' >include/side.h
tiles=(--kernel=tiles.cuh --nvcc-flags="-DFACTOR='(1 + 1)' -O1" -I include)
run 0 "${judge[@]}" "${tiles[@]}" --shape=32x16x24 --out=tiles.csv
says out 'kernel_tiles: correct at 32x16x24. Not a general kernel: '
says out 'multiples of 8'
says err '"solve.h" is not there: an empty file was taken for it'
says err 'calls multiply(A, B, C, m, n, k)'
[[ $(columns tiles.csv general) == 'multiples of 8' ]] || fail "column general: $(columns tiles.csv general)"
run 1 "${judge[@]}" "${tiles[@]}" --shape=32x16x24 --general
says out 'not general: '
run 1 "${judge[@]}" "${tiles[@]}" --shape=32x16x24 --shape=17x33x20
says out 'kernel_tiles: correct at 32x16x24, wrong at 17x33x20. Not a general kernel'
run 2 "${judge[@]}" --kernel=tiles.cuh --nvcc-flags=-DFACTOR=2 --shape=32x16x24
run 2 "${judge[@]}" --kernel=tiles.cuh --nvcc-flags='-DFACTOR="2' -I include --shape=32x16x24
says err "expected words with a shell's quotes"

# A file that includes its kernel: launches there are the file's own, and lines stay theirs.
printf '#pragma once\nint first = 1;\n' >first.cuh
printf '#include "first.cuh"\n#include "first.cuh"\n' >second.cuh
cat >includes.cu <<'END'
#include "first.cuh"
#include "second.cuh"
#include "tiles.cuh"
int last = ;
END
run 2 "${judge[@]}" --kernel=includes.cu --nvcc-flags=-DFACTOR=2 -I include --shape=32x16x24
says err 'includes.cu:4:12: error:'
sed -i '/last/d' includes.cu
run 0 "${later[@]}" --kernel=includes.cu --nvcc-flags=-DFACTOR=2 -I include --shape=32x16x24

# Two kernels whose names differ only where they are cut, of which one is wrong.
for i in 1 2; do
    sed -e "s/multiply/multiply_with_a_very_long_name_that_is_cut_$i/" -e '/^#/d' -e "s/sum;/sum + ($i - 1);/" -e 's/SIDE/8/g' tiles.cuh
done >twins.cu
run 1 "${later[@]}" --kernel=twins.cu --shape=32x16x24
says out '2 rows: 1 measured and verified, 1 wrong'

# A whole program, of which main() is left out; two kernels, each judged; --launch says which, or how.
cat >program.cu <<'END'
#include <stdio.h>
#define N 512
__global__ void naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[row * n + i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
__global__ void half(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n)
        c[row * n + col] = a[row * n + col] * b[row * n + col];
}
int main(void)
{
    no_such_function();
    dim3 block(16, 16), grid(N / 16, N / 16);
    naive<<<grid, block>>>(d_a, d_b, d_c, N);
    half<<<grid, block>>>(d_a, d_b, d_c, N);
    printf("done\n");
    return 0;
}
END
run 1 "${later[@]}" --kernel=program.cu --shape=17x33x20 --out=program.csv
[[ $(columns program.csv shape variant status | sort -u | grep -v skipped) == $'17x17x17\tkernel_program_half\tfailed\n17x17x17\tkernel_program_naive\tok' ]] ||
    fail "a program: $(columns program.csv shape variant status)"
run 0 "${later[@]}" --kernel=program.cu --shape=9x9x9 --launch=naive
run 0 "${later[@]}" --kernel=program.cu --shape=9x9x9 --launch='naive<<<1, dim3(n, m)>>>(A, B, C, K)'

# What a student is told.
product() { # NAME STATEMENT: of which the last writes c
    cat <<END
__global__ void $1(const float *a, const float *b, float *c, int m, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= m * n)
        return;
    for (int p = 0; p < k; p++)
        sum += a[i / n * k + p] * b[p * n + i % n];
    $2
}
END
}
{ product reads 'const float beta = 0; c[i] = sum + beta * c[i];'; product adds 'c[i] += sum;'; } >students.cu
run 1 "${judge[@]}" --kernel=students.cu --shape=5x6x7
says out '2 rows: 2 wrong'
says out 'held before'
says err 'it depends on what C held before'
{
    echo '#include <stdio.h>'
    product f 'if (i == 0) printf("hello\n"); c[i] = sum + 0 * c[i];'
    cat <<'END'
extern "C" void solution(const float *a, const float *b, float *c, int m, int k, int n, float alpha, float beta)
{
    f<<<(m * n + 63) / 64, 64>>>(a, b, c, m, k, n);
}
END
} >gemm.cu
run 0 "${later[@]}" --kernel=gemm.cu --shape=5x6x7
says err hello
cat >sum.cu <<'END'
__global__ void zero(float *dot) { *dot = 0; }
__global__ void add(const float *x, const float *y, float *dot, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(dot, x[i] * y[i]);
}
void solution(const float *x, const float *y, float *dot, int n)
{
    zero<<<1, 1>>>(dot);
    add<<<(n + 63) / 64, 64>>>(x, y, dot, n);
}
END
run 1 "${judge[@]}" --op=dot --kernel=sum.cu --size=dot:n=500
says out '--unordered'
run 0 "${judge[@]}" --op=dot --kernel=sum.cu --size=dot:n=500 --unordered
cat >relu.cu <<'END'
__global__ void relu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] > 0 ? x[i] : 0;
}
END
run 0 --starter --op=map
cp out empty.cu
run 1 "${judge[@]}" --op=map --kernel=relu.cu --kernel=empty.cu --size=map:n=1000
says out 'NaN must stay NaN'
says out '2 rows: 2 wrong'

# A kernel of the CPU in C++, and one that is a library's.
cat >plain.cpp <<'END'
#include <stddef.h>
#include <vector>
void solution(const float *x, float *y, size_t n)
{
    std::vector<float> copy(x, x + n);
    for (size_t i = 0; i < n; i++)
        y[i] = copy[i] < 0 ? 0 : copy[i];
}
END
run 0 --progress=off --verify --op=map --kernel=plain.cpp --size=map:n=1000 --filter=/kernel_
cat >calls.c <<'END'
float cblas_sdot(int, const float *, int, const float *, int);
void solution(const float *x, const float *y, float *dot, int n)
{
    *dot = cblas_sdot(n, x, 1, y, 1);
}
END
if "$rungbench" --progress=off --verify --op=dot --kernel=calls.c --size=dot:n=100 --filter=/kernel_ --out=calls.csv >out 2>err; then
    [[ $(columns calls.csv runs_as) =~ ^(cblas_sdot|openblas)$ ]] || fail "runs_as: $(columns calls.csv runs_as)"
fi
end_test
echo "kernels are taken as people write them ($checks runs)"
