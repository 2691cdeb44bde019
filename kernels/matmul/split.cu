/* matmul cuda_split: for a small C. All threads of a block work on one row of C and share k.
 *
 * Technique: a C of fifty elements has work for fifty threads, of the 270,000 that an H200 can run, and each of them
 * would do 784 multiplications one after the other. But a sum can be split: thread (lane, column) takes every
 * `lanes`-th product of its element. That makes `lanes` times as many threads, each with that much less to do. One
 * block computes a row of a panel, up to 32 columns; neighbouring threads have neighbouring columns, so loads from B
 * are coalesced. A thread first starts all its loads, BATCH per matrix, and then multiplies, so it waits for memory
 * once and not once per product. Where C has few elements, panels are as narrow as four columns: the loads are spread
 * over more blocks. The partial sums are added in shared memory, in two rounds, the first with up to GROUPS threads per
 * column. If that leaves a thread more than BATCH products, up to 8 blocks of a cluster share k, where GPUs have them,
 * and for a long k several clusters, whose sums a second launch adds up (add_parts.h).
 *
 * A row of A times a B of megabytes waits for memory all the time. There blocks have 256 threads, of which five fit on
 * a multiprocessor: while some add, the loads of others are under way.
 *
 *      k of a row of A, and of a panel of B      products            sums
 *      lane   0  1  2  0  1  2  0  1 ...         column 0 1 2 3
 *      each lane takes every third product  ->   lane 0 . . . .  ->  group 0 . . . .  ->  row of C . . . .
 *      of all columns of the panel,                   1 . . . .            1 . . . .
 *      one thread for each                            2 . . . .
 *
 * What it fixes in cuda_tiled and cuda_skinny: on small problems these have few blocks, and each thread has a long
 * chain of additions.
 *
 * What bounds it: latency: one wait for the L2 cache, two barriers, the launch, which is more than half of the row
 * below: its 47 KB would come in a hundredth of a microsecond. On larger problems traffic: each row of C reads all of B
 * again.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist-valid5/cuda_split/cold 4.896 us
 *   matmul/mnist-valid5/cublas/cold 9.152 us */
#include "add_parts.h"
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "hopper.h"
#include "shared_k.h"

constexpr int WIDEST = SPLIT_WIDEST, GROUPS = 16;

/* a is m x k, b is k x n, c is m x n, all row-major. C has `panels` panels of `width` columns. A block has LANES
 * threads per column, or `lanes` where LANES is 0, each of which loads BATCH elements of b at once, and `part` steps
 * along k; the `splits` blocks of a cluster share k, and so do `parts` clusters, of which each has a c of its own. */
template <int LANES, int BATCH>
static __global__ void __launch_bounds__(LANES ? LANES *WIDEST : SPLIT_THREADS, LANES ? SPLIT_BLOCKS : 1)
    matmul_split_kernel(int64_t m, int64_t n, int64_t k, int width, int lanes, unsigned panels, unsigned splits,
                        unsigned parts, int64_t part, const float *a, const float *b, float *c)
{
    __shared__ float products[LANES ? LANES * WIDEST : SPLIT_THREADS];
    __shared__ float sums[GROUPS][WIDEST];
    __shared__ float4 of_blocks[SPLIT_CLUSTER][WIDEST];
    if (splits > 1)
        cluster_arrive();
    lanes = LANES ? LANES : lanes;
    int thread = (int)threadIdx.x, tx = thread % width, lane = thread / width, groups = min(lanes, GROUPS);
    int rank = (int)(blockIdx.x % splits);
    unsigned cluster = blockIdx.x / splits % parts, place = blockIdx.x / splits / parts;
    int64_t row = place / panels, column = (int64_t)(place % panels) * width + tx;
    int64_t begin = (cluster * splits + rank) * part, first = begin + lane;
    float sum = 0;
    if (column < n) {
        const float *from_a = a + row * k + first, *from_b = b + first * n + column;
        for (int64_t left = min(k, begin + part) - first; left > 0; left -= BATCH * lanes, from_a += BATCH * lanes) {
            float x[BATCH], y[BATCH];
#pragma unroll
            for (int i = 0; i < BATCH; i++, from_b += lanes * n) {
                x[i] = i * lanes < left ? from_a[i * lanes] : 0.0f;
                y[i] = i * lanes < left ? *from_b : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                sum = fmaf(x[i], y[i], sum);
        }
    }
    products[thread] = sum;
    __syncthreads();
    if (lane < groups) {
        sum = 0;
        for (int i = lane; i < lanes; i += groups)
            sum += products[i * width + tx];
        sums[lane][tx] = sum;
    }
    __syncthreads();
    if (lane == 0) {
        sum = 0;
        for (int i = 0; i < groups; i++)
            sum += sums[i][tx];
    }
    if (splits > 1) {
        cluster_wait(); /* the first block's shared memory is there */
        if (lane == 0)
            cluster_store(&of_blocks[rank][tx], 0, make_float4(sum, 0, 0, 0));
        cluster_arrive();
        cluster_wait();
        sum = 0;
        for (unsigned i = 0; i < splits && lane == 0 && rank == 0; i++)
            sum += of_blocks[i][tx].x;
    }
    if (lane == 0 && rank == 0 && column < n)
        c[(cluster * m + row) * n + column] = sum;
    allow_early_launch();
}

const char *matmul_cuda_split(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    constexpr auto few = matmul_split_kernel<0, SPLIT_BATCH>,
                   many = matmul_split_kernel<SPLIT_LANES, SPLIT_BATCH_LARGE>;
    static const unsigned most = cluster_most(few); /* which does not change, and is the same for both */
    const int64_t multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount), count = p->m * p->n;
    const struct model_shape shape = {p->m, p->k, p->n, multiprocessors, false, false};
    const struct split_plan plan = plan_split(&shape, (int)most);
    const unsigned splits = (unsigned)plan.splits, parts = (unsigned)plan.parts;
    float *c;
    TRY_CALL(parts_get(count, parts, p->c, &c));
    TRY_CALL(launch_clusters(__func__, plan.is_large ? many : few, p->m * plan.panels * splits * parts,
                             (unsigned)(plan.width * plan.lanes), 0, splits, false, stream, p->m, p->n, p->k,
                             plan.width, plan.lanes, (unsigned)plan.panels, splits, parts,
                             ceil_div(p->k, splits * parts), p->a, p->b, c));
    return add_parts(__func__, count, parts, c, p->c, (cudaStream_t)stream);
}
