/* How precise the rungs on tensor cores are, from which docs/precision.md has its figures: on the simulator, or on a
 * GPU.
 *
 *     precision_errors >errors.csv
 *     precision_errors cuda >errors.csv
 *
 * Columns: input, rung; rms, worst: of the errors, in units of u |A||B|; then the share of the elements whose error is
 * 0, or below 2^-6, 2^-5, ... of these units and not below the one before. */
#include "precision_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M, K, N, SIZES, LEAST = -6, CLASSES = 24 };

/* The product on a GPU is so large that cuBLAS sums each element in one piece: sums in parts are more precise. */
static const struct subject {
    const char *backend;
    int64_t size[SIZES];
    const char *variants[8];
} subjects[] = {
    {"sim", {256, 784, 256}, {"sim_tiled", "sim_tf32", "sim_tf32x3", "sim_fp16x3"}},
    {"cuda",
     {1024, 784, 1024},
     {"cublas", "cuda_tiled", "cuda_tf32", "cuda_tf32x3", "cuda_fp16x3", "cuda_fp16x3_wgmma"}},
};

static int class_of(double error)
{
    int class = error == 0 ? 0 : (int)fmax(ceil(log2(error)), LEAST) - LEAST + 1;
    return class < CLASSES ? class : CLASSES - 1;
}

static void print_errors(const char *input, const char *rung, const struct problem *p)
{
    int64_t counts[CLASSES] = {0}, elements = p->m * p->n;
    for (int64_t i = 0; i < elements; i++)
        counts[class_of(precision_error(p, i))]++;
    printf("%s,%s,%.3g,%.3g", input, rung, precision_rms(p), precision_worst(p));
    for (int i = 0; i < CLASSES; i++)
        printf(",%.5g", (double)counts[i] / (double)elements);
    putchar('\n');
}

static void print_all(const struct subject *is)
{
    printf("input,rung,rms,worst,zero");
    for (int i = 1; i < CLASSES; i++)
        printf(",below_2^%d", LEAST + i - 1);
    putchar('\n');
    for (int input = 0; input < PRECISION_INPUTS; input++) {
        struct problem p = precision_problem((enum precision_input)input, is->size[M], is->size[K], is->size[N]);
        for (const char *const *variant = is->variants; *variant; variant++) {
            const struct rung *rung = precision_rung(*variant);
            if (!rung)
                continue;
            precision_run(rung, &p);
            print_errors(precision_input_names[input], *variant, &p);
        }
        free_problem(&p);
    }
}

int main(int argc, char **argv)
{
    const struct subject *is = argc > 1 && strcmp(argv[1], "cuda") == 0 ? &subjects[1] : &subjects[0];
    if (argc > 2 || (argc > 1 && strcmp(argv[1], is->backend) != 0)) {
        fprintf(stderr, "precision_errors: expected no argument but sim or cuda\n");
        return 2;
    }
    const char *error = precision_open(is->backend);
    if (error) {
        fprintf(stderr, "precision_errors: %s\n", error);
        return 1;
    }
    print_all(is);
    precision_close();
    return 0;
}
