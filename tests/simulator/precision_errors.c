/* How precise the rungs on tensor cores are, on the simulator: results/precision/errors.csv, from which
 * docs/precision.md has its figures.
 *
 *     precision_errors >results/precision/errors.csv
 *
 * Columns: input, rung; rms, worst: of the errors, in units of u |A||B|; then the share of the elements whose error is
 * 0, or below 2^-6, 2^-5, ... of these units and not below the one before. */
#include "bench/table/backend.h"
#include "precision_input.h"

#include <math.h>
#include <stdio.h>

enum { M = 256, K = 784, N = 256, LEAST = -6, CLASSES = 24 };

static const struct {
    const char *name;
    rung_function *run;
} rungs[] = {{"tiled", matmul_sim_tiled},
             {"tf32", matmul_sim_tf32},
             {"tf32x3", matmul_sim_tf32x3},
             {"fp16x3", matmul_sim_fp16x3}};

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

int main(void)
{
    const char *error = sim_backend.open(&(struct backend_settings){.device = -1, .times_nothing = true});
    if (error) {
        fprintf(stderr, "precision_errors: %s\n", error);
        return 1;
    }
    printf("input,rung,rms,worst,zero");
    for (int i = 1; i < CLASSES; i++)
        printf(",below_2^%d", LEAST + i - 1);
    putchar('\n');
    for (int input = 0; input < PRECISION_INPUTS; input++) {
        struct problem p = precision_problem((enum precision_input)input, M, K, N);
        for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++) {
            precision_run(rungs[i].run, &p);
            print_errors(precision_input_names[input], rungs[i].name, &p);
        }
        free_problem(&p);
    }
    sim_backend.close();
    return 0;
}
