/* The operation mnist_step: one step of training a network of two layers on a batch (bench/table/mnist_step.h). */
#include "bench/data/mnist.h"
#include "bench/table/mnist_step.h"
#include "array_op.h"
#include "mnist_step_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The sizes of a struct workload, and its buffers. */
enum { BATCH, INPUTS, HIDDEN, CLASSES };
enum { IMAGES, LABELS, PARAMETERS, UPDATED, BUFFERS };

static struct mnist_step_problem problem_of(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return (struct mnist_step_problem){.batch = (int)size[BATCH],
                                       .inputs = (int)size[INPUTS],
                                       .hidden = (int)size[HIDDEN],
                                       .classes = (int)size[CLASSES]};
}

/* Of sizes that may be too large for a problem. */
static int64_t parameters_of(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return (size[INPUTS] + 1) * size[HIDDEN] + (size[HIDDEN] + 1) * size[CLASSES];
}

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    const int64_t *size = workload->size;
    of[IMAGES] = (struct array_shape){"images", 2, {size[BATCH], size[INPUTS]}};
    of[LABELS] = (struct array_shape){"labels", 2, {size[BATCH], size[CLASSES]}};
    of[PARAMETERS] = (struct array_shape){"parameters", 1, {parameters_of(workload)}};
    of[UPDATED] = (struct array_shape){"updated", 1, {parameters_of(workload)}};
    return BUFFERS;
}

/* Of the five products: the first layer's forward and its weights' gradient, and the second layer's three. */
static double flops(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return 2.0 * (double)size[BATCH] * (double)size[HIDDEN] *
           (2.0 * (double)size[INPUTS] + 3.0 * (double)size[CLASSES]);
}

/* Each parameter moves by what the whole batch says. */
static int64_t piece(const struct workload *workload)
{
    return parameters_of(workload);
}

/* The elements of an input in memory. NULL: out of memory. */
static float *read_all(const struct array_reader *reader, int64_t elements)
{
    float *all = malloc((size_t)elements * sizeof *all);
    for (int64_t e = 0; e < elements && all; e++)
        all[e] = (float)array_at(reader, e);
    return all;
}

static bool compute(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound)
{
    (void)first;
    (void)count;
    struct mnist_step_problem p = problem_of(workload);
    float *images = read_all(&inputs[IMAGES], p.batch * p.inputs);
    float *labels = read_all(&inputs[LABELS], p.batch * p.classes);
    float *parameters = read_all(&inputs[PARAMETERS], mnist_step_parameters(&p));
    p.images = images;
    p.labels = labels;
    p.parameters = parameters;
    bool ok = images && labels && parameters && mnist_step_reference(&p, value, bound);
    free(images);
    free(labels);
    free(parameters);
    return ok;
}

/* Images are random, or MNIST's where they have as many pixels. An image has one right class: its label, or a random
 * one. Parameters are as those of a network before it is trained: uniform within 1 / sqrt(inputs). */
static void question_of(const struct workload *workload, const struct input_source *source,
                        struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    const struct mnist_step_problem p = problem_of(workload);
    const struct mnist *mnist = p.inputs == MNIST_PIXELS ? source->mnist : NULL;
    const bool labelled = mnist && mnist->labels && p.classes == MNIST_CLASSES;
    const uint64_t seed = made_seed(source->seed, IMAGES); /* permutes labels as images */
    made[IMAGES] = mnist ? mnist_permuted(mnist, MADE_FRACTIONS, seed) : made_unit(seed, 1);
    made[LABELS] =
        (struct made){.kind = MADE_ONE_HOT, .seed = made_seed(source->seed, LABELS), .row_length = (size_t)p.classes};
    made[PARAMETERS] = made_unit(made_seed(source->seed, PARAMETERS), 1 / sqrtf((float)p.inputs));
    if (labelled)
        made[LABELS] = made_rows(MADE_ONE_HOT, seed, mnist->labels, MNIST_CLASSES, (size_t)mnist->count);
    if (!mnist)
        return;
    mnist_note(mnist, p.batch, note->text, sizeof note->text);
    const size_t used = strlen(note->text);
    if (!labelled)
        snprintf(note->text + used, sizeof note->text - used, ", random labels");
}

static bool set_step_sizes(const char *value, struct workload *workload, bool *added, struct error *error)
{
    if (!set_sizes(value, workload, added, error))
        return false;
    const int64_t *size = workload->size;
    const struct {
        const char *what;
        int64_t elements, most;
    } limits[] = {
        {"images x inputs", size[BATCH] * size[INPUTS], MNIST_STEP_ELEMENTS_MAX},
        {"parameters", parameters_of(workload), MNIST_STEP_ELEMENTS_MAX},
        {"images x hidden units", size[BATCH] * size[HIDDEN], MNIST_STEP_ACTIVATIONS_MAX},
        {"images x classes", size[BATCH] * size[CLASSES], MNIST_STEP_ACTIVATIONS_MAX},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].elements > limits[i].most)
            return error_set(error, "--%s=%s: %" PRId64 " %s, expected at most %" PRId64, rule.flag.name, value,
                             limits[i].elements, limits[i].what, limits[i].most);
    return true;
}

static const struct array_rule rule = {
    .flag = {"mnist-step-size", "BATCHxINPUTSxHIDDENxCLASSES", "add an mnist_step workload of these sizes (repeatable)",
             set_step_sizes, FILE_NONE},
    .shapes = shapes,
    .flops = flops,
    .piece = piece,
    .compute = compute,
    .question = question_of,
};

static const struct workload workloads[] = {
    {"mnist-step-8", {8, 784, 128, 10}, SUITE_NETWORK},     {"mnist-step-64", {64, 784, 128, 10}, SUITE_NETWORK},
    {"mnist-step-256", {256, 784, 128, 10}, SUITE_NETWORK}, {"mnist-step-1024", {1024, 784, 128, 10}, SUITE_NETWORK},
    {"8x49x16x10", {8, 49, 16, 10}, SUITE_SMOKE},
};

/* Around a warp and a tile of 32, and a layer that is too large for shared memory. Few are small enough to be verified
 * at many addresses, for four buffers have many. */
static const struct workload ragged[] = {
    {SIZES_4(1, 1, 1, 1)},    {SIZES_4(2, 8, 8, 4)},   {SIZES_4(3, 5, 7, 6)},
    {SIZES_4(9, 37, 33, 34)}, {SIZES_4(67, 32, 8, 3)}, {SIZES_4(1, 4100, 1, 1)},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    struct mnist_step_problem *p = problem;
    *p = problem_of(workload);
    p->images = memory[IMAGES];
    p->labels = memory[LABELS];
    p->parameters = memory[PARAMETERS];
    p->updated = memory[UPDATED];
}

OP_DEFINE(mnist_step, ARRAY_FUNCTIONS);
