/* All rungs of one backend, on the same sizes with the same seeds: on the simulator, in every order that it knows, or
 * on a GPU (TEST_ON_GPU). Sizes that need many blocks and, on a GPU, all that `rungbench --verify` tries: test_mutants
 * runs that on the simulator, before anything is a mutant. */
#include "tests/fakes/here.h"
#include "tests/unit.h"

#if TEST_ON_GPU
static const struct backend_entry backend = {"cuda", "CUDA", true, false, &cuda_backend};
#define ON_cuda_cuda(...) ENTRY(__VA_ARGS__)
#define ON_sim_simulator(...)
#else
static const struct backend_entry backend = {"sim", "Simulator", false, true, &sim_backend};
#define ON_cuda_cuda(...)
#define ON_sim_simulator(...) ENTRY(__VA_ARGS__)
#endif
#define ON_cpu_host(...)
#define ON_cpu_openblas(...)
#define ON_cpu_onednn(...)
#define ON_cuda_cudnn(...)
#define ON_gpus_cuda(...)
#define ON_gpus_nccl(...)

/* No other rung of the table is named. */
#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"
#define ENTRY(of, name, as, marks) \
    {.variant = #name, .op = &of##_op, .backend = &backend, .run = of##_##name, .precision = as, .traits = marks},
#define RUNG(op, variant, backend, requires, precision, traits, summary) \
    ON_##backend##_##requires(op, variant, precision, traits)
static const struct rung rungs[] = {
#include "bench/table/rungs.def"
};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };
static const struct registry registry = {&backend, 1, NULL, 0, rungs, RUNGS};

static const char *only_op, *only_variant; /* NULL: all */

static bool is_tested(const struct rung *rung)
{
    return (!only_op || strcmp(rung->op->name, only_op) == 0) &&
           (!only_variant || strcmp(rung->variant, only_variant) == 0);
}

static struct link *here;

static void for_each_rung(bool in_all_orders, void (*test)(const struct rung *rung))
{
    const struct backend_settings settings = {.device = -1, .times_nothing = in_all_orders};
    here = here_open(&registry, &settings, host_now); /* once: under compute-sanitizer it takes seconds */
    for (size_t i = 0; i < RUNGS; i++) {
        const struct rung *rung = &rungs[i];
        if (!is_tested(rung))
            continue;
        const char *lacking = backend.backend->lacks ? backend.backend->lacks(rung->traits) : NULL;
        if (lacking)
            print_message("SKIPPED: %s %s: %s\n", rung->op->name, rung->variant, lacking);
        else
            test(rung);
    }
    here_close();
}

static void assert_right(const struct rung *rung, const struct check *check, const char *on)
{
    if (!check->correct)
        fail_msg("%s %s, %s: %s", rung->op->name, rung->variant, on, check->reason);
}

static void verify_on(const struct rung *rung, const int64_t size[OP_SIZES_MAX], uint64_t seed)
{
    struct workload workload = {0};
    memcpy(workload.size, size, sizeof workload.size);
    op_shape(rung->op, &workload, workload.name, sizeof workload.name);
    struct check check = here_verdict(rung, &workload, seed);
    assert_right(rung, &check, workload.name);
}

#if TEST_ON_GPU
static void verify_on_ragged_sizes(const struct rung *rung)
{
    for (size_t i = 0; i < rung->op->ragged_count; i++)
        verify_on(rung, rung->op->ragged[i], i);
}

TEST(ragged_sizes_are_right)
{
    for_each_rung(true, verify_on_ragged_sizes);
}

static void verify_all(const struct rung *rung)
{
    struct check check;
    struct error note;
    verify_ragged(here, rung, 11, &check);
    assert_right(rung, &check, "ragged");
    verify_far(here, rung, 12, &check, &note);
    assert_right(rung, &check, "far");
    if (note.text[0] != '\0' && (rung->traits & RUNG_INT_SIZES) == 0)
        fail_msg("%s", note.text);
}

TEST(all_that_verification_tries_is_right)
{
    for_each_rung(true, verify_all);
}
#endif

struct op_size {
    const char *op;
    int64_t size[OP_SIZES_MAX];
};

static void verify_at_sizes(const struct rung *rung, const struct op_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rung->op->name, sizes[i].op) == 0)
            verify_on(rung, sizes[i].size, i);
}

/* Many rows, columns, images: more than the simulator's grids have blocks for along y and z, but few along x. */
static const struct op_size long_sizes[] = {
    {"matmul", {2000, 1, 1}},        {"matmul", {1, 1, 2000}},        {"matmul", {1, 2000, 20}},
    {"matmul_grad_a", {2000, 1, 1}}, {"matmul_grad_a", {1, 2000, 1}}, {"matmul_grad_a", {1, 1, 2000}},
    {"matmul_grad_b", {2000, 1, 1}}, {"matmul_grad_b", {1, 2000, 1}}, {"matmul_grad_b", {1, 1, 2000}},
    {"grayscale", {1, 1, 2000}},     {"grayscale", {1, 2000, 1}},     {"grayscale", {1500, 3, 5}},
};

static void verify_on_long_sizes(const struct rung *rung)
{
    verify_at_sizes(rung, long_sizes, sizeof long_sizes / sizeof long_sizes[0]);
}

TEST(long_sizes_are_right)
{
    for_each_rung(false, verify_on_long_sizes);
}

/* What single rungs do in another way than on small problems: more tiles than the simulator has blocks for, whose steps
 * along k are fewer than the stages of a ring, as many, and more. And a k so long that more blocks share it than a
 * cluster has. */
static const struct own_size {
    const char *variant;
    int64_t size[OP_SIZES_MAX];
} own_sizes[] = {
    {"_fp16x3_wgmma", {260, 60, 132}},   {"_fp16x3_wgmma", {260, 130, 132}}, {"_fp16x3_wgmma", {257, 193, 131}},
    {"_skinny_wgmma", {17, 700, 301}},   {"_skinny_wgmma", {70, 1300, 17}},  {"_fp16x3_wgmma", {1, 20000, 20}},
    {"_skinny", {1, 20000, 20}},         {"_split", {1, 20000, 20}},         {"_fitted", {1, 20000, 20}},
    {"_skinny_wgmma", {100, 1500, 132}},
};
enum { SLOW = 1 }; /* so many at the end, on the simulator */

static void verify_on_own_sizes(const struct rung *rung)
{
    const size_t count = LENGTH(own_sizes) - (unit_at_length() || TEST_ON_GPU ? 0 : SLOW);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rung->op->name, "matmul") == 0 && strstr(rung->variant, own_sizes[i].variant))
            verify_on(rung, own_sizes[i].size, i);
}

TEST(own_sizes_are_right)
{
    for_each_rung(unit_at_length() || TEST_ON_GPU, verify_on_own_sizes);
}

#if TEST_ON_GPU
/* More than once around the ring of a kernel that is not simulated. */
static const int64_t ring_sizes[][OP_SIZES_MAX] = {
    {1100, 450, 130},
    {1160, 1300, 256},
    {300, 1300, 260},
    {90, 20000, 500},
    {20, 784, 20001},
    /* Fewer stages than the ring has, as many, and more. */
    {130, 32, 132},
    {130, 64, 132},
    {130, 96, 132},
    {130, 100, 132},
};

/* Several tiles for each block of the skinny kernels, which are as many as a GPU has room for. */
static const int64_t tall_sizes[][OP_SIZES_MAX] = {
    {20001, 100, 13},  {20001, 784, 16}, {9001, 300, 20},  {20001, 300, 50},
    {34001, 300, 100}, {17000, 784, 10}, {4225, 3000, 10},
};

static void verify_on_ring_sizes(const struct rung *rung)
{
    bool is_matmul = strcmp(rung->op->name, "matmul") == 0;
    bool has_ring = is_matmul && (rung->traits & (RUNG_HOPPER | RUNG_WGMMA)) != 0;
    for (size_t i = 0; has_ring && i < sizeof ring_sizes / sizeof ring_sizes[0]; i++)
        verify_on(rung, ring_sizes[i], i);
    bool is_skinny = is_matmul && strncmp(rung->variant, "cuda_skinny", strlen("cuda_skinny")) == 0;
    for (size_t i = 0; is_skinny && i < sizeof tall_sizes / sizeof tall_sizes[0]; i++)
        verify_on(rung, tall_sizes[i], i);
}

TEST(ring_sizes_are_right)
{
    for_each_rung(false, verify_on_ring_sizes);
}

/* Beside the smallest workloads, and where each access takes a tool's time: whole tiles and parts of them, long sums,
 * more tiles than a GPU has multiprocessors, rows that are aligned and others; and one row in more parts than a warp
 * adds up.
 */
static const struct op_size tool_sizes[] = {
    {"matmul", {300, 500, 260}},
    {"matmul", {130, 1300, 132}},
    {"matmul", {1670, 40, 1668}},
    {"matmul", {1670, 40, 1667}},
    {"matmul", {60000, 3, 23}},
    {"matmul", {3, 745, 2901}},
    {"matmul", {140, 3000, 50}},
    {"matmul", {7, 40000, 29}},
    {"matmul", {1670, 200, 1667}},
    {"matmul", {20001, 100, 13}},
    {"transpose", {67, 129}},
    {"transpose", {132, 68}},
    {"transpose", {1100, 904}},
    {"transpose", {1101, 903}},
    {"transpose", {903, 1101}},
    {"zip", {67, 131, 1}},
    {"zip", {5, 132, 3}},
    {"zip", {67, 129, 4}},
    {"zip", {132, 68, 4}},
    {"zip", {1100, 904, 4}},
    {"zip", {1101, 903, 4}},
    {"reduce_columns", {3001, 130}},
    {"reduce_columns", {9, 1031}},
    {"reduce_columns", {100001, 10}},
    {"reduce_columns", {100003, 100}},
    {"reduce_rows", {1, 10000003}},
    {"reduce_rows", {3, 9001}},
    {"dot", {100003}},
    {"softmax", {33, 1031}},
    {"softmax", {2, 40001}},
    {"map", {100003}},
};

static void verify_where_tools_watch(const struct rung *rung)
{
    for (size_t i = 0; i < rung->op->workload_count; i++)
        if ((rung->op->workloads[i].suites & SUITE_SMOKE) != 0)
            verify_on(rung, rung->op->workloads[i].size, i);
    verify_at_sizes(rung, tool_sizes, sizeof tool_sizes / sizeof tool_sizes[0]);
}

TEST(what_tools_watch_is_right)
{
    for_each_rung(true, verify_where_tools_watch);
}
#endif

/* Sizes in which everything is a multiple of 16 bytes, and k takes several parts: of narrow panels, and of clusters. */
static const int64_t aligned_sizes[][OP_SIZES_MAX] = {
    {37, 1300, 10}, {5, 1000, 16}, {5, 1620, 36}, {3, 100, 4}, {9, 784, 10}, {3, 5000, 10},
};

/* Others go along all of a long k, which takes the simulator seconds for a tile. */
static bool may_share_k(const struct rung *rung)
{
    const char *name = rung->variant;
    return TEST_ON_GPU || strstr(name, "_skinny") || strstr(name, "_split") || strstr(name, "_fitted") ||
           strstr(name, "_wgmma");
}

static void verify_on_aligned_sizes(const struct rung *rung)
{
    enum { K = 1, LONG = 1000 };
    bool is_matmul = strcmp(rung->op->name, "matmul") == 0;
    for (size_t i = 0; is_matmul && i < sizeof aligned_sizes / sizeof aligned_sizes[0]; i++)
        if (aligned_sizes[i][K] <= LONG || may_share_k(rung))
            verify_on(rung, aligned_sizes[i], i);
}

TEST(aligned_sizes_are_right)
{
    for_each_rung(unit_at_length() || TEST_ON_GPU, verify_on_aligned_sizes);
}

/* Sizes that no GPU's memory could hold, so nothing may be touched. What libraries say is theirs. Operations with
 * kernels that take any grid are not among them, and cuda_skinny takes any number of rows, also for cuda_skinny_tensor.
 */
static const struct {
    const char *op;
    bool is_skinny;
    struct workload workload;
} impossible_sizes[] = {
    {"matmul", false, {"rows of C", {INT64_C(1) << 44, 1, 1}, 0}},
    {"matmul", false, {"rows of a wide C", {INT64_C(1) << 44, 64, 64}, 0}},
    {"matmul", true, {"columns of C", {1, 1, INT64_C(1) << 44}, 0}},
    {"matmul_grad_a", false, {"rows of dA", {INT64_C(1) << 44, 1, 1}, 0}},
    {"matmul_grad_b", false, {"rows of dB", {1, INT64_C(1) << 44, 1}, 0}},
    {"grayscale", false, {"columns", {1, 1, INT64_C(1) << 44}, 0}},
};

static void demand_refusal(const struct rung *rung)
{
    static void *const nowhere[OP_BUFFERS_MAX];
    _Alignas(max_align_t) unsigned char problem[OP_PROBLEM_BYTES_MAX];
    if (strncmp(rung->variant, "cuda_", 5) != 0 && strncmp(rung->variant, "sim_", 4) != 0)
        return; /* a library */
    const char *name = strchr(rung->variant, '_');
    bool is_skinny = strcmp(name, "_skinny") == 0 || strcmp(name, "_skinny_tensor") == 0;
    for (size_t i = 0; i < sizeof impossible_sizes / sizeof impossible_sizes[0]; i++) {
        if (strcmp(rung->op->name, impossible_sizes[i].op) != 0 || is_skinny != impossible_sizes[i].is_skinny)
            continue;
        op_bind(rung->op, &impossible_sizes[i].workload, nowhere, problem);
        const char *error = rung->run(problem, NULL);
        assert_non_null(error);
        if (!strstr(error, "needs ") || !strstr(error, " blocks; a grid has at most "))
            fail_msg("%s %s: '%s'", rung->op->name, rung->variant, error);
    }
}

TEST(grids_that_cannot_be_are_refused)
{
    for_each_rung(false, demand_refusal);
}

/* After a pattern come the one operation that is tested, and its one rung: tools that look at each access take minutes
 * for all. */
static int begin(int argc, char **argv)
{
    const struct backend_settings settings = {.device = -1, .times_nothing = true};
    only_op = argc > 2 ? argv[2] : NULL;
    only_variant = argc > 3 ? argv[3] : NULL;
    bool any = false;
    for (size_t i = 0; i < RUNGS; i++)
        any = any || is_tested(&rungs[i]);
    if (!any) {
        fprintf(stderr, "there is no such rung: %s %s\n", only_op, only_variant ? only_variant : "");
        return 2;
    }
    const char *error = backend.backend->open(&settings);
    if (error) {
        printf("skipped: %s\n", error);
        return TEST_ON_GPU ? 77 : 1;
    }
    backend.backend->close();
    return unit_choose(argc, argv);
}

BEGIN_WITH(begin)
