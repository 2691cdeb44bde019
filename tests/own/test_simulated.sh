#!/usr/bin/env bash
# What the simulator takes, finds and refuses in kernels of the user's own, that no kernel of ours can show: each is relu,
# in a style of its own, or wrong in one place.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$(realpath "$1")
enter_folder
export XDG_CACHE_HOME=$PWD/cache

# kernel NAME DECLARATIONS BODY: it has x, y, n, its thread t of 64 and its element i.
kernel() {
    cat <<END
$2
__global__ void $1_kernel(const float *x, float *y, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float v = i < n ? x[i] : 0;
    $3
    if (i < n) y[i] = v < 0 ? 0 : v;
}
extern "C" void $1(const float *x, float *y, int n) { $1_kernel<<<(n + 63) / 64, 64, 256>>>(x, y, n); }
END
}
# judge STATUS FILE: what becomes of its kernels is in out and rows.csv
judge() {
    local status=0
    "$rungbench" --kernel="$2" --op=map --simulate --verify --suite=none --size=map:n=1000 --filter=/kernel_ \
        --progress=off --out=rows.csv >out 2>err || status=$?
    [[ $status == "$1" ]] || fail "$2 ends with $status, expected $1: $(cat out err)"
}
# expect STATUS PATTERN NAME DECLARATIONS BODY
expect() {
    kernel "${@:3}" >"$3.cu"
    judge "$1" "$3.cu"
    tr -s ' \n' ' ' <out | grep -qE "$2" || fail "$3: said '$(cat out)', expected $2"
}

# Right, in many styles. What kernels include is not compiled again, if the build has done so.
mkdir traced
printf '#!/bin/sh\nexec %q -H "$@" 2>>%q\n' "$(command -v c++)" "$here/headers" >traced/c++
chmod +x traced/c++
copied='asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"((unsigned)__cvta_generic_to_shared(s + t)),
    "l"(x + (i < n ? i : 0)), "r"(i < n ? 4 : 0) : "memory"); asm volatile("cp.async.commit_group;");'
PATH=$PWD/traced:$PATH expect 0 'A general kernel' styles '#define SMEM static __shared__ volatile
#define WAIT(n) \
    asm volatile("cp.async.wait_group %0;\n" \
                 ::"n"(n))
extern __shared__ float outside[]; __shared__ int zero;
__device__ float at(float (*s)[8], int i) { return s[i / 8][i % 8]; }
template <typename T> __device__ T same(T v) { __shared__ T s[64]; s[threadIdx.x] = v; return s[threadIdx.x]; }
__global__ void styles_kernel(const double *x, double *y, int n) { y[0] = x[n]; }' "
    { __shared__ float s[64]; float *p = s; p[t] = v; __syncthreads(); v = *(p + t); }
    { __shared__ float s[8][8]; s[t / 8][t % 8] = v; __syncthreads(); v = at(s, t); }
    { SMEM float s[64]; static_assert(sizeof s == 256, \"\"); s[t] = v; v = s[t]; }
    { outside[t] = v; zero = 0; __syncthreads(); v = outside[t + zero]; }
    { __shared__ float s[64]; $copied WAIT(0); v = s[t]; }
    v = same(v); if (i >= n) return; __syncthreads();"
[[ ! -e $(dirname "$rungbench")/generated/twins.h.gch ]] || grep -q '^! .*/twins\.h\.gch$' headers ||
    fail "the compiled header is not used: $(head -n 3 headers)"

# Wrong, in one file.
names=() reasons=()
wrong() { # NAME REASON DECLARATIONS BODY
    names+=("$1") reasons+=("$2")
    kernel "$1" "${@:3}" >>wrong.cu
}
wrong next_array 'thread \(63,0,0\).* writes out of bounds, 0 bytes past the end of the shared array second, of 256 bytes' '' \
    '__shared__ float first[64], second[64], third[64]; float *p = second; first[t] = third[t] = 0; __syncthreads();
    p[t + t / 63] = v; __syncthreads(); v = second[t] + 0 * (first[t] + third[t]);'
wrong dimension "index 8 is out of bounds of 'float \[8\]'" '' '__shared__ float s[9][8]; s[t / 8][t % 8 + t / 63] = v; __syncthreads(); v = s[t / 8][t % 8];'
wrong device_array 'the device array table, of 40 bytes' '__device__ float table[10]; __device__ float other[10];' \
    'float *p = table; p[t % 11] = 1; v += 0 * other[t % 10];'
wrong nowhere 'writes out of bounds, in no buffer' '#include <cstdio>' 'if (i == 3) *(float *)stdout = v;'
wrong lost_update 'with no barrier between' '' \
    '__shared__ int come; if (t == 0) come = 0; __syncthreads(); come++; __syncthreads(); v += come != 64;'
wrong unwaited 'depends on when asynchronous copies arrive' '' "__shared__ float s[64]; $copied v = s[t];"
judge 1 wrong.cu
columns rows.csv variant status reason >verdicts
for number in "${!names[@]}"; do
    grep -qE "^kernel_wrong_${names[number]}"$'\tfailed\t.*'"(${reasons[number]})" verdicts || fail "${names[number]}: expected '${reasons[number]}': $(cat verdicts)"
done
expect 2 'failed: launch failed: .* ptx_unknown.cu:6: executes dp2a.lo.s32.s32, which is not simulated' ptx_unknown '' \
    'int r; asm("dp2a.lo.s32.s32 %0, %1, %1, %1;" : "=r"(r) : "r"(t)); v += r;'
expect 1 'NaN must stay NaN' signed_nan '' 'const int b = __float_as_int(v); v = __int_as_float(b & ~(b >> 31));'

# refuse PATTERN DECLARATIONS BODY: as a kernel and as a whole program, in turns, it is refused in one line, which names file and
# line; where nvcc refuses it, too, in the compiler's words, but the first of them only.
ways=("--kernel=refused.cu --op=map --launch=f<<<1,n>>>(x,y,n) --simulate" "--simulate refused.cu")
turn=0
refuse() {
    local way=${ways[turn++ % 2]} status=0 lines=1
    [[ $1 != *'error: '* ]] || lines=4
    printf '%s\n__global__ void f(const float *x, float *y, int n) { %s }\nint main() { return 0; }\n' "$2" "$3" >refused.cu
    # shellcheck disable=SC2086  # words
    LC_ALL=C.UTF-8 "$rungbench" $way --progress=off >out 2>err || status=$?
    sed -i '/note: /d; /^rungbench: compiling/d' err
    [[ $status == 2 ]] || fail "$way: $3 ends with $status, expected 2: $(cat err)"
    grep -qE "refused.cu:?$1" err || fail "$way: $2 $3: said '$(cat err)', expected $1"
    (($(wc -l <err) <= lines)) || fail "$way: $2 $3: said in more than $lines lines '$(cat err)'"
}
refuse ":2: the simulator does not have this: '__vsetltu4' was not declared" '' 'y[0] = __vsetltu4(1, 2);'
refuse ":1: the simulator does not have this: 'cudaTextureObject_t'" '__global__ void g(cudaTextureObject_t t) { }' ''
refuse ':1: the simulator does not (have this: |take [^ ]*)curand_kernel.h: ' '#include <curand_kernel.h>' ''
refuse ':1: the simulator does not (have this: |take [^ ]*)thrust/sort.h: ' '#include <thrust/sort.h>' ''
refuse ":2: the simulator does not have this: .*cudaDeviceProp' has no member named 'none'" '' 'cudaDeviceProp p; y[0] = p.none;'
refuse ':2: the simulator does not take this: .*atomicAdd' '' 'atomicAdd((short *)y, (short)1);'
refuse ':2: the simulator does not take this: .*a tile has 1, 2, 4' '#include <cooperative_groups.h>' \
    'using namespace cooperative_groups; tiled_partition<7>(this_thread_block());'
refuse ' uses elsewhere\(float\), which neither' '__device__ float elsewhere(float);' 'y[0] = elsewhere(1);'
refuse ":2:[0-9]+: error: 'nvalue2' was not declared" '' 'y[0] = nvalue2;'
refuse ':2:[0-9]+: error: too few arguments' '__device__ float own(float a, float b);' 'y[0] = own(1); atomicAdd((short *)y, (short)1);'
refuse ":2:[0-9]+: error: expected ';'" '' 'y[0] = 1 y[1] = other;'
end_test
