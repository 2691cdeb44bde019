/* Which kernel a source file defines, and how it is called. */
#include "bench/own/form.h"
#include "tests/base/long_text.h"
#include "tests/unit.h"

#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"
static const struct op *const ops[] = {&matmul_op, &matmul_batched_op};
static const struct registry registry = {.ops = ops, .op_count = 2};

#define BODY "(const void *problem, void *stream)\n{\n}\n"

static struct form form;
static struct error error;

static bool find(const char *source, const struct op *op, const char *launch)
{
    char *text = strdup(source);
    assert_non_null(text);
    form = (struct form){.call.is_cuda = true};
    const bool ok = form_find(text, "mine", &registry, op, launch, &form, &error);
    free(text);
    return ok;
}

static void assert_refused(const char *source, const struct op *op, const char *words)
{
    assert_false(find(source, op, NULL));
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void assert_calls(const char *source, const struct op *op, const char *shown, const char *only)
{
    if (!find(source, op, NULL))
        fail_msg("%s", error.text);
    assert_int_equal(form.kind, FORM_CALL);
    assert_string_equal(form.call.shown, shown);
    assert_string_equal(form.call.only, only);
}

TEST(test_a_rung_is_of_the_operation_of_its_name_or_the_one_asked_for)
{
    const struct {
        const char *source;
        const struct op *asked, *op;
    } cases[] = {{"const char *matmul_mine" BODY, NULL, &matmul_op},
                 {"#define OPEN {\nconst char *matmul_mine" BODY, NULL, &matmul_op},
                 {"extern \"C\" const char* matmul_batched_mine" BODY, NULL, &matmul_batched_op},
                 {"const char\n*\nmatmul_mine\n (\nconst void * p, void * s) {}", &matmul_op, &matmul_op}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(find(cases[i].source, cases[i].asked, NULL));
        assert_true(form.kind == FORM_RUNG && form.op == cases[i].op);
    }
}

TEST(test_prototypes_comments_and_other_functions_are_no_kernels)
{
    assert_true(find("const char *matmul_one(const void *p, void *s);\n"
                     "/* const char *matmul_two" BODY "*/\n"
                     "// const char *matmul_three(const void *p, void *s) {}\n"
                     "static const char *error" BODY "const char *matmul_mine" BODY,
                     NULL, NULL));
    assert_string_equal(form.function, "matmul_mine");
}

TEST(test_a_file_has_one_rung)
{
    assert_refused("int x;", NULL, "defines no kernel, expected a __global__ function");
    assert_refused("", &matmul_batched_op, "*matmul_batched_NAME(");
    assert_refused("void solution(int n);", NULL, "defines no kernel");
    assert_refused("const char *second_mine" BODY, NULL, "defines no kernel");
    assert_refused("const char *matmul_a" BODY "const char *matmul_b" BODY, NULL, "defines matmul_a and matmul_b");
    assert_refused("const char *matmul_a" BODY, &matmul_batched_op, "expected a kernel of --op=matmul_batched");
}

#define ARRAYS "const float *a, const float *b, float *c, "

TEST(test_parameters_are_matched_by_names_types_and_use)
{
    static const struct {
        const char *source;
        const struct op *op;
        const char *shown, *only;
    } cases[] = {
        {"void solution(" ARRAYS "int m, int k, int n) {}", &matmul_op, "solution(A, B, C, m, k, n)", ""},
        {"void solution(" ARRAYS "size_t m, size_t n, size_t k) {}", &matmul_op, "solution(A, B, C, m, n, k)", ""},
        {"void solution(int64_t n, const float *B, unsigned k, float *C, const float *A, int m) {}", &matmul_op,
         "solution(n, B, k, C, A, m)", ""},
        {"extern \"C\" void solve(" ARRAYS "int M, int N, int K) {}", &matmul_op, "solve(A, B, C, m, k, n)", ""},
        {"extern \"C\" void solve(" ARRAYS "int M, int K, int N) {}", &matmul_op, "solve(A, B, C, m, k, n)", ""},
        /* what the indexes say decides between the two meanings of M, N and K */
        {"__global__ void f(" ARRAYS "int M, int N, int K) { c[i * N + j] = a[i * K + p] * b[p * N + j]; }\n"
         "void solve(" ARRAYS "int M, int N, int K) { f<<<1, 2>>>(a, b, c, M, N, K); }",
         &matmul_op, "solve(A, B, C, m, n, k)", ""},
        {"void solution(" ARRAYS "int n) {}", &matmul_op, "solution(A, B, C, m)", "m=k=n"},
        {"void solution(" ARRAYS "int numARows, int numAColumns, int numBColumns) {}", &matmul_op,
         "solution(A, B, C, m, k, n)", ""},
        /* without const: the array that is written */
        {"__global__ void f(float *P, float *M, float *N, int w) { P[i] = M[i] + N[i]; }\n"
         "void solution(float *P, float *M, float *N, int w) { f<<<1, 2>>>(P, M, N, w); }",
         &matmul_op, "solution(C, A, B, m)", "m=k=n"},
        {"__global__ void f(float *u, float *v, float *w, int n) { v[i] = u[i] + w[i]; }\n"
         "void solution(float *u, float *v, float *w, int n) { f<<<1, 2>>>(u, v, w, n); }",
         &matmul_op, "solution(A, C, B, m)", "m=k=n"},
        /* the side of square matrices is the length of their rows */
        {"__global__ void f(const float *p, float *q, int w) { q[i * w + j] = p[i * w + j]; }\n"
         "void solution(const float *p, float *q, int w) { f<<<1, 2>>>(p, q, w); }",
         &softmax_op, "solution(x, y, m)", "m=n"},
        /* where an array lies is no part of its name */
        {"void solution(float *d_C, const float *matrixB, const float *A_dev, int m, int k, int n) {}", &matmul_op,
         "solution(C, B, A, m, k, n)", ""},
        {"void solution(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {}", &matmul_op,
         "solution(m, n, k, 1, A, B, 0, C)", ""},
        {"void solution(const float *in, float *out, size_t n, size_t m) {}", &map_op, "solution(x, y, 1, n)", ""},
        {"void solve(const float *input, float *output, int rows, int cols) {}", &transpose_op, "solve(x, y, m, n)",
         ""},
        {"void solve(const float *input, float *output, int N) {}", &softmax_op, "solve(x, y, n)", "m=1"},
        {"void solve(const float *x, const float *f, float *y, int input_rows, int input_cols, int kernel_rows, int "
         "kernel_cols) {}",
         &conv2d_op, "solve(x, f, y, h, w, r, r)", "n=1,c=1,k=1"},
        {"void solution(const unsigned char *in, unsigned char *out, int width, int height) {}", &grayscale_op,
         "solution(rgb, gray, width, height)", "images=1"},
        {"void solution(const float *in_t, float *out_t, int n) {}", &map_op, "solution(x, y, n)", ""},
        {"torch::Tensor f(torch::Tensor a, const torch::Tensor &b) { return a; }", &matmul_op, "f(A, B)", ""},
        {"__global__ void k(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
         "if (i < n) y[i] = x[i]; }\nint main() { }",
         &map_op, "k(x, y, n)", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_calls(cases[i].source, cases[i].op, cases[i].shown, cases[i].only);
}

#define TILES(a, c)                                                                                        \
    "__global__ void k(" ARRAYS "int m, int k, int n) { const int row = blockIdx.y, column = blockIdx.x; " \
    "a += " a "; c[" c " + column + threadIdx.x] = a[0] * b[column]; }"

TEST(test_what_does_not_fit_is_refused_with_both_signatures)
{
    static const struct {
        const char *source;
        const struct op *op;
        const char *words;
    } cases[] = {
        {"void solution(" ARRAYS "int q, int r, int s) {}", &matmul_op, "does not say which size is which"},
        {"void solution(const double *a, const double *b, double *c, int m, int k, int n) {}", &matmul_op,
         "has arrays of another type, where matmul has A, B, C, m, k, n; expected --launch='solution(...)'"},
        {"void solution(const float *a, float *c, int n) {}", &matmul_op, "has fewer arrays"},
        {"void solution(" ARRAYS "int n) {}", &map_op, "has more arrays, where map has x, y, n"},
        {"void solution(const float *a, const float *b, int n) {}", &map_op, "has no array that it may write"},
        {"void solution(" ARRAYS "int m, int k, int n, struct s t) {}", &matmul_op, "neither an array nor a size"},
        {"void solution(" ARRAYS "float x) {}", &matmul_op, "is made for one size"},
        {"__global__ void k(" ARRAYS "int m, int k, int n) { c[0] = a[threadIdx.x]; }", &matmul_op,
         "k(const float *a, const float *b, float *c, int m, int k, int n) is a kernel whose launch is not found out"},
        {"void solution(const float *A, const float *d_B_T, float *C, int m, int k, int n) {}", &matmul_op,
         "transposed"},
        /* a block's number is a tile's */
        {TILES("(TILE * row) * k", "(TILE * row) * n"), &matmul_op, "launch is not found out"},
        {TILES("row * TILE * k", "row * TILE * n"), &matmul_op, "launch is not found out"},
        {"template <typename F> __global__ void k(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x; "
         "if (i < n) y[i] = F()(x[i]); }",
         &map_op, "launch is not found out"},
        /* the sums of blocks, which the function adds */
        {"__global__ void k(const float *x, float *y, int n) { y[blockIdx.x] = x[threadIdx.x]; }\n"
         "float sum(const float *x, int n) { float *sums; cudaMalloc(&sums, n); k<<<n / 256, 256>>>(x, sums, n); }",
         &reduce_rows_op, "launch is not found out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].source, cases[i].op, cases[i].words);
}

#define KERNEL "__global__ void k(" ARRAYS "int width) { c[i * width + j] = a[i] * b[j]; }\n"

TEST(test_a_kernel_is_launched_as_the_file_does)
{
    static const char *const sites[] = {
        "int main() { int N = 512; dim3 block(16, 16); dim3 grid((N + 15) / 16, N / block.y + 1); "
        "k<<<grid, block>>>(d_A, d_B, d_C, N); }",
        "#define N 512\nint main() { const int threads = 16; k<<<dim3(N / threads + 1, N), threads>>>(x, y, z, N); }",
        "template <int T> void run(int N) { k<<<N + T, T>>>(x, y, z, N); }",
    };
    for (size_t i = 0; i < sizeof sites / sizeof sites[0]; i++) {
        char source[512];
        snprintf(source, sizeof source, "%s%s", KERNEL, sites[i]);
        assert_calls(source, &matmul_op, "k(A, B, C, m)", "m=k=n");
        assert_non_null(strstr(form.call.text, "k<<<"));
        assert_non_null(strstr(form.call.text, "const int N = (int)(int)(rungbench_p->m);"));
        assert_non_null(strstr(form.call.names, "#undef N\n"));
    }
}

TEST(test_each_function_that_could_be_meant_can_be_chosen)
{
    static const char two[] =
        "void one(" ARRAYS "int n) { k<<<1, 2>>>(); }\nvoid two(" ARRAYS "int n) { k<<<1, 2>>>(); }";
    assert_calls(two, &matmul_op, "one(A, B, C, m)", "m=k=n");
    assert_int_equal(form.call.alternatives, 2);
    assert_calls("void scale(" ARRAYS "int n) { k<<<1, 2>>>(); }\nvoid fast_gemm(" ARRAYS "int n) { k<<<1, 2>>>(); }",
                 &matmul_op, "fast_gemm(A, B, C, m)", "m=k=n");
    assert_true(find(two, &matmul_op, "two"));
    assert_string_equal(form.call.shown, "two(A, B, C, m)");
    assert_false(find(two, &matmul_op, "three"));
    assert_non_null(strstr(error.text, "has no function three"));
    assert_true(find(two, &matmul_op, "one(B, A, C, K + 1)"));
    assert_non_null(strstr(form.call.text, "const int K = (int)rungbench_p->k;"));
    assert_non_null(strstr(form.call.text, "float *B = (float *)rungbench_p->b;"));
}

#define SUMS(name) "void " name "(const float *x, float *y, int n) { k<<<1, 2>>>(); }\n"

TEST(test_of_several_functions_those_count_that_are_named_for_the_operation)
{
    assert_calls(SUMS("column_sums") SUMS("row_sums"), &reduce_rows_op, "row_sums(x, y, n)", "m=1");
    assert_int_equal(form.call.alternatives, 1);
    assert_calls(SUMS("column_sums") SUMS("others"), &reduce_rows_op, "column_sums(x, y, n)", "m=1");
    assert_calls(SUMS("others") SUMS("row_reduce_collect"), &reduce_rows_op, "row_reduce_collect(x, y, n)", "m=1");
    assert_calls("#ifdef A\n" SUMS("sums") SUMS("sums_too") "#else\n" SUMS("sums") "#endif\n", &reduce_rows_op,
                 "sums(x, y, n)", "m=1");
    assert_int_equal(form.call.alternatives, 2);
    assert_calls("void sums(const double *x, double *y, int n) { k<<<1, 2>>>(); }\n" SUMS("sums"), &reduce_rows_op,
                 "sums(x, y, n)", "m=1");
}

/* Rows that are as long as the file says, and casts of what is passed on. */
TEST(test_what_looks_like_tiles_or_sums_of_blocks_and_is_not)
{
    static const char head[] = "__global__ void k(const float *x, float *y, int m, int n) { int row = blockIdx.x; ";
    static const char *const bodies[] = {
        "const int width = n; y[row * width + threadIdx.x] = x[row * width]; }",
        "y[row * WIDTH + threadIdx.x] = x[row * WIDTH]; }",
        "const float4 *v = (const float4 *)x + row * (n / 4); y[row * n * 1] = v[0].x; }",
        "memcpy(y + row * n, x + row * n, row * n * sizeof(float)); }"};
    static const char site[] =
        "%s y[row] = x[row * n]; }\nvoid run(const float *in, float *out, int m, int n, struct s t) "
        "{ float *o = out; k<<<m, 256>>>((const float *)in, %s, m, n); }";
    static const char *const outputs[] = {"out", "o", "(float *)out", "&out[0]"};
    char source[640];
    for (size_t i = 0; i < 4; i++) {
        snprintf(source, sizeof source, "%s%s", head, bodies[i]);
        assert_calls(source, &softmax_op, "k(x, y, m, n)", "");
        snprintf(source, sizeof source, site, head, outputs[i]);
        assert_calls(source, &softmax_op, "k(x, y, m, n)", "");
    }
}

TEST(test_a_template_of_a_type_gets_that_of_the_operation)
{
    assert_calls("template <typename T> __global__ void k(const T *x, T *y, int n) { int i = blockIdx.x * blockDim.x + "
                 "threadIdx.x; if (i < n) y[i] = x[i]; }",
                 &map_op, "k(x, y, n)", "");
    assert_non_null(strstr(form.call.text, "k<float><<<"));
}

TEST(test_main_is_left_out_and_no_line_moves)
{
    char text[] = "void solution(" ARRAYS "int n)\n{\n}\n\nint main(void)\n{\n    return 0;\n}\nint after;\n";
    form = (struct form){.call.is_cuda = true};
    assert_true(form_find(text, "mine", &registry, &matmul_op, NULL, &form, &error));
    assert_null(strstr(text, "main"));
    assert_non_null(strstr(text, "\n\n\n\n\nint after;\n") ? text : strstr(text, "int after;\n"));
}

static void assert_defines_no_kernel(const char *source)
{
    assert_refused(source, NULL, "mine: ");
}

TEST(test_the_time_grows_as_the_length_does)
{
    static const char *const pieces[] = {"const char *matmul_x(const void *",
                                         "const char *x" BODY,
                                         "void solution(",
                                         "__global__ void k(float *a, int n) { k<<<1, 2>>>(a, n); }\n",
                                         "namespace x {",
                                         "void f() { x<<<",
                                         "dim3 a(1), b[("};
    check_long_texts(pieces, sizeof pieces / sizeof pieces[0], assert_defines_no_kernel);
}
