#!/usr/bin/env bash
# Whole programs on the simulator: rungbench --simulate program.cu -- ARGUMENTS
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$(realpath "$1")
enter_folder
export XDG_CACHE_HOME=$PWD/cache
cat >program.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
__global__ void add(const float *a, float *b, int n) { int i = threadIdx.x; if (i < n) b[i] += a[i]; }
__global__ void turn(unsigned char *p, bool waits)
{
    __shared__ unsigned char row[64];
    row[threadIdx.x] = p[threadIdx.x];
    if (waits) __syncthreads();
    p[threadIdx.x] = row[63 - threadIdx.x];
}
/* Right, though it looks like what is wrong: bytes side by side, the value of poison, a struct with a hole, an argument
 * that is copied by a constructor, all threads write the same, an exchange with what nobody has written. */
struct holed { double d; int i; };
struct copied { unsigned *to; copied(unsigned *p) : to(p) {} copied(const copied &other) : to(other.to) {} };
__global__ void looks_wrong(copied out)
{
    extern __shared__ unsigned large[];
    __shared__ unsigned poison;
    __shared__ holed all[64], one;
    __shared__ int found, exchanged;
    found = 1;
    if (threadIdx.x == 0) atomicExch(&exchanged, 0);
    all[threadIdx.x].d = threadIdx.x;
    all[threadIdx.x].i = 1;
    if (threadIdx.x == 0) poison = 0xC3C3C3C3u;
    large[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) one = all[1];
    __syncthreads();
    out.to[threadIdx.x] = (poison == 0xC3C3C3C3u ? 0 : 1) + (unsigned)(one.i * found) + large[threadIdx.x];
}
__global__ void counts(unsigned *p)
{
    __shared__ unsigned count[2];
    if (threadIdx.x == 0) count[0] = 0;
    __syncthreads();
    atomicAdd(&count[threadIdx.x % 2], 1);
    __syncthreads();
    p[threadIdx.x] = count[threadIdx.x % 2];
}
__global__ void allocates(float **p) { if (threadIdx.x == 0) *p = new float[4]; }
__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait_for(unsigned long long *barrier)
{
    asm volatile("{ .reg .pred ended; again: mbarrier.try_wait.parity.shared.b64 ended, [%0], 0;"
                 "@ended bra done; bra again; done: }" ::"r"(place(barrier)) : "memory");
}
/* A copy beside the arrivals of all threads; then one lane of a warp waits for what another warp wrote. */
__global__ void fetches(const float *from, float *p, bool waits)
{
    __shared__ __align__(16) float row[64];
    __shared__ unsigned others[64];
    __shared__ unsigned long long all, first;
    unsigned t = threadIdx.x, ended;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 64; mbarrier.init.shared.b64 [%1], 1;" ::"r"(place(&all)), "r"(place(&first)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                     ::"r"(place(row)), "l"(from), "r"(place(&all)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(place(&all)) : "memory");
    } else
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(place(&all)) : "memory");
    if (waits) wait_for(&all);
    else p[t] = row[t];
    if (t == 5) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ended) : "r"(place(&first)) : "memory");
        others[0] = ended;
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(place(&first)) : "memory");
    }
    if (t == 32) wait_for(&first);
    if (t >= 32) {
        __syncwarp();
        p[t] = row[63 - t] + others[0];
    }
    asm volatile("bar.sync 3;" ::: "memory");
}
/* A barrier counts warps, of which the last has 8 lanes here. */
__global__ void part_of_warp() { asm volatile("bar.sync 1;" ::: "memory"); }
__global__ void launches(float *p) { if (threadIdx.x == 0) add<<<1, 1>>>(p, p, 1); }

static void count(unsigned *sum) { for (int i = 0; i < 3000000; i++) *(volatile unsigned *)sum += 1; }

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    float host[64] = {0}, *a, *b;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 96>>>(a, b, strcmp(what, "outside") == 0 ? 65 : 64);
    turn<<<1, 64>>>((unsigned char *)b, strcmp(what, "race") != 0);
    if (strcmp(what, "host") == 0) b[3] = 1;
    if (strcmp(what, "looks") == 0) {
        cudaFuncSetAttribute(looks_wrong, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
        looks_wrong<<<1, 64, 60000>>>(copied((unsigned *)b));
    }
    if (strncmp(what, "fetches", 7) == 0) fetches<<<1, 50 + 14>>>(a, b, what[7] == '\0');
    if (strcmp(what, "fetches") == 0) part_of_warp<<<1, 40>>>();
    if (strcmp(what, "unset") == 0) counts<<<1, 64>>>((unsigned *)b);
    if (strcmp(what, "allocates") == 0) allocates<<<1, 2>>>((float **)b);
    if (strcmp(what, "launches") == 0) launches<<<1, 2>>>(b);
    if (strcmp(what, "threads") == 0) {
        unsigned sums[2] = {0, 0};
        std::thread one(count, &sums[0]), other(count, &sums[1]);
        for (int i = 0; i < 300; i++) turn<<<1, 64>>>((unsigned char *)b, true);
        one.join();
        other.join();
    }
    cudaFree(a);
    if (strcmp(what, "leak") != 0) cudaFree(b);
    while (strcmp(what, "hang") == 0) { }
    printf("%d arguments: %s\n", argc - 1, what);
    return strcmp(what, "status") == 0 ? 5 : 0;
}
END

# expect STATUS STDOUT STDERR-PATTERN ARGUMENT...: an empty pattern means nothing there.
expect() {
    local status=0
    (exec -a named "$rungbench" --simulate --progress=off --budget=20 program.cu -- "${@:4}") >out 2>err || status=$?
    sed -i '/note: /d; /^named: compiling/d' err
    [[ $status == "$1" ]] || fail "${*:4}: ended with $status, expected $1: $(cat err)"
    [[ $(cat out) == "$2" ]] || fail "${*:4}: printed '$(cat out)', expected '$2'"
    if [[ -z $3 && -s err ]]; then
        fail "${*:4}: said '$(cat err)'"
    elif [[ -n $3 ]] && ! grep -qE "^named: .*$3" err; then
        fail "${*:4}: said '$(cat err)', expected $3"
    fi
}
expect 0 '0 arguments: ' ''
expect 0 '2 arguments: right' '' right 'an argument'
expect 5 '1 arguments: status' '' status
expect 1 '1 arguments: outside' 'kernel add, .* thread \(64,0,0\), program.cu:5: reads out of bounds, 0 bytes past' outside
expect 1 '1 arguments: race' 'kernel turn, .* program.cu:(9|11) .* program.cu:(9|11), with no barrier between' race
expect 1 '1 arguments: host' 'the program touches device memory on the host, program.cu:' host
expect 0 '1 arguments: looks' '' looks
expect 0 '1 arguments: fetches' '' fetches
expect 1 '1 arguments: fetches_early' 'thread \(.*\) (reads|writes) at program.cu:[0-9]+ what .*, with no barrier between' fetches_early
expect 1 '1 arguments: unset' 'kernel counts, .* reads at program.cu:[0-9]+ what no thread has written' unset
expect 0 '1 arguments: threads' '' threads
expect 2 '1 arguments: launches' 'kernel launches, .* program.cu:[0-9]+: launches a kernel from a kernel' launches
expect 2 '1 arguments: allocates' 'thread \(0,0,0\), program.cu:[0-9]+: allocates memory in a kernel, which is not' allocates
expect 1 '1 arguments: leak' '256 bytes that cudaMalloc\(\) gave are not freed' leak

# Blocks run on several cores, and unequally long. What comes of it is what comes of it on one core, where they run in
# their order.
cat >blocks.cu <<'END'
#include <atomic>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
enum { BLOCKS = 2000, THREADS = 64, RIGHT, BEYOND, RACE, CHAIN, FORK };
__device__ unsigned next;
__device__ std::atomic<unsigned> passed;
__device__ volatile int ready[BLOCKS];
__global__ void take(unsigned *tickets, float *sum, int *beyond, int what)
{
    __shared__ float part[THREADS];
    const unsigned b = blockIdx.x, t = threadIdx.x;
    float x = 0;
    if (what != CHAIN)
        for (unsigned i = 0; i < (b % 7 == 0 ? 400 : 40); i++)
            x += 1.0f / (i + b + t + 1);
    if ((what == BEYOND && b >= 245) || (what == RACE && b == 491) || (what == CHAIN && b == 5))
        beyond[16] = 1;
    part[t] = x;
    if (what != RACE || b < 480)
        __syncthreads();
    else
        beyond[t % 16] = (int)part[THREADS - 1 - t];
    if (t > 0 || what == RACE)
        return;
    if (what == CHAIN && b > 0)
        while (!ready[b - 1])
            ;
    if (b % 7 == 0)
        printf("block %u\n", b);
    else if (b % 7 == 1)
        puts("a block");
    unsigned ticket = b % 2 == 1 ? passed.fetch_add(1) : 0;
    for (int i = 0; i < THREADS; i++)
        atomicAdd(sum, part[i]);
    ticket += b % 2 == 0 ? passed.fetch_add(1) : 0;
    tickets[b] = ticket + atomicAdd(&next, 1);
    ready[b] = 1;
}
int main(int argc, char **argv)
{
    const char *const all[] = {"right", "beyond", "race", "chain", "fork"};
    unsigned *tickets, heard[BLOCKS], count = 0;
    int *beyond, what = RIGHT;
    float *sum, total;
    while (argc > 1 && what < FORK && strcmp(argv[1], all[what - RIGHT]) != 0)
        what++;
    cudaMalloc(&tickets, sizeof heard);
    cudaMalloc(&sum, sizeof total);
    cudaMalloc(&beyond, 64);
    cudaMemset(sum, 0, sizeof total);
    take<<<BLOCKS, THREADS>>>(tickets, sum, beyond, what);
    const cudaError_t error = cudaDeviceSynchronize();
    if (what == FORK) { /* a child has no other threads */
        fflush(stdout);
        if (fork() > 0)
            wait(nullptr);
        else
            take<<<BLOCKS, THREADS>>>(tickets, sum, beyond, RIGHT);
    }
    cudaMemcpy(heard, tickets, sizeof heard, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    while (count < BLOCKS && heard[count] % (2 * BLOCKS) == 2 * count)
        count++;
    printf("%u in order, sum %a: %s\n", count, total, cudaGetErrorString(error));
    cudaFree(tickets), cudaFree(sum), cudaFree(beyond);
}
END
cores=$(taskset -cp $$)
# in_order WHAT COUNT SAID
in_order() {
    taskset -c "${cores//*[ ,-]/}" "$rungbench" --simulate --budget=20 blocks.cu -- "$1" >one 2>one.err || true
    [[ $(tail -n 1 one) == "$2 in order, sum "* ]] || fail "$1 ended with $(tail -n 1 one)"
    [[ $(cat one.err) =~ ^$3 ]] || fail "$1 said $(cat one.err), expected $3"
    for _ in 1 2 3; do
        "$rungbench" --simulate --budget=20 blocks.cu -- "$1" >several 2>several.err || true
        cmp one several || fail "$1: on several cores blocks come out of order: $(tail -n 1 one) and $(tail -n 1 several)"
        diff one.err several.err || fail "$1: something else is found on several cores"
    done
}
in_order right 2000 '$'
in_order beyond 245 '.*block \(245,0,0\), thread \(0,0,0\), blocks.cu:19: writes out of bounds'
in_order race 0 '.*block \(490,0,0\): thread .* with no barrier between'
in_order chain 5 '.*block \(5,0,0\), thread \(0,0,0\), blocks.cu:19: writes out of bounds'
in_order fork 2000 '$'

status=0
"$rungbench" --simulate --budget=1 program.cu -- hang 2>err || status=$?
[[ $status == 2 && $(cat err) == *'after the 1 s of --budget'* ]] || fail "a program that hangs ends with $status: $(cat err)"
for arguments in 'program.cu' '--simulate none.cu' '--simulate program.cu other'; do
    status=0
    # shellcheck disable=SC2086  # words
    "$rungbench" $arguments >out 2>err || status=$?
    [[ $status == 2 && ! -s out ]] || fail "$arguments ends with $status"
done
echo '__global__ void k() {}' >kernel.cu
status=0
"$rungbench" --simulate kernel.cu 2>err || status=$?
[[ $status == 2 && $(cat err) == *'no main()'* ]] || fail "a kernel alone ends with $status: $(cat err)"
end_test
