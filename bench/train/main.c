/* rungbench-train: trains a network on MNIST by a rung of mnist_step, and tells how long that takes and how good the
 * network becomes. What the harness leaves out of a rung's time is in these: the first call, and the copies of images
 * to the device and of parameters back. */
#include "bench/base/error.h"
#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "bench/data/mnist.h"
#include "bench/table/mnist_step.h"
#include "bench/table/registry.h"
#include "git_revision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The operation's buffers. */
enum { IMAGES, LABELS, PARAMETERS, UPDATED, BUFFERS };
enum { BATCH = 64, HIDDEN = 128, EPOCHS_MAX = 1000 };

static const char usage[] =
    "Usage: rungbench-train DIR VARIANT [EPOCHS]\n"
    "       rungbench-train --help | --version\n"
    "Trains a network of 784-128-10 by a rung of mnist_step on the first four fifths of the MNIST images in DIR, in\n"
    "batches of 64, and tests it on the others. Prints CSV: epoch, seconds (with the copies, and in epoch 1 the first\n"
    "call), loss and accuracy on the others. Epoch 0 is the network before it is trained. EPOCHS: default 5.\n"
    "Exit status: 0; 1 the rung failed; 2 usage or input error; 77 this build or machine cannot run the rung.\n";

struct training {
    const struct rung *rung;
    const struct backend *backend;
    struct workload workload;
    int64_t batches;
    char *host[2]; /* images and labels, batch by batch */
    float *parameters;
    void *memory[BUFFERS];
    size_t bytes[BUFFERS];
};

static int fail(int status, const char *what, const char *why)
{
    struct error error;
    error_set(&error, "%s: %s", what, why);
    fprintf(stderr, "rungbench-train: %s\n", error.text);
    return status;
}

static void *batch_of(const struct training *training, size_t input, int64_t b)
{
    return training->host[input] + (size_t)b * training->bytes[input];
}

/* Images and labels as the operation fills them, batch by batch, and the parameters that it starts with. */
static void prepare(struct training *training, const struct mnist *mnist)
{
    const struct op *op = training->rung->op;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    struct input_note note;
    op_buffers(op, &training->workload, specs);
    for (size_t i = 0; i < BUFFERS; i++)
        training->bytes[i] = specs[i].bytes;
    training->parameters = memory_get(specs[PARAMETERS].bytes, 1);
    for (size_t i = IMAGES; i <= LABELS; i++)
        training->host[i] = memory_get((size_t)training->batches, specs[i].bytes);
    for (int64_t b = 0; b < training->batches; b++) {
        struct mnist batch = {
            .count = BATCH, .pixels = mnist->pixels + b * BATCH * MNIST_PIXELS, .labels = mnist->labels + b * BATCH};
        void *host[BUFFERS] = {batch_of(training, IMAGES, b), batch_of(training, LABELS, b), training->parameters,
                               NULL};
        op_fill(op, &training->workload, &(struct input_source){.seed = 1, .real.mnist = &batch}, host, &note);
    }
}

enum { OUTPUTS_MAX = 1024 };

/* out = in W + b */
static void forward(int inputs, int outputs, const double *in, const float *parameters, double *out)
{
    for (int j = 0; j < outputs; j++)
        out[j] = parameters[inputs * outputs + j];
    for (int i = 0; i < inputs; i++)
        for (int j = 0; j < outputs && in[i] != 0; j++)
            out[j] += in[i] * parameters[i * outputs + j];
}

/* How good a network is on images that it was not trained on. */
struct evaluation {
    double loss;     /* the mean of -log p of the right class */
    double accuracy; /* the share of images whose most likely class is the right one */
};

/* Of images `first` to the last, with the parameters and the layers' sizes of `network`. */
static struct evaluation evaluate(const struct mnist_step_problem *network, const struct mnist *mnist, int64_t first)
{
    double pixels[MNIST_PIXELS], hidden[OUTPUTS_MAX], logits[OUTPUTS_MAX];
    struct evaluation total = {0};
    for (int64_t image = first; image < mnist->count; image++) {
        for (int i = 0; i < MNIST_PIXELS; i++)
            pixels[i] = mnist->pixels[image * MNIST_PIXELS + i] / 255.0;
        forward(network->inputs, network->hidden, pixels, network->parameters, hidden);
        for (int j = 0; j < network->hidden; j++)
            hidden[j] = fmax(hidden[j], 0);
        forward(network->hidden, network->classes, hidden, network->parameters + mnist_step_second(network), logits);
        const double *right = &logits[mnist->labels[image]];
        double sum = 1; /* the right one's own */
        bool is_largest = true;
        for (const double *logit = logits; logit < logits + network->classes; logit++) {
            if (logit == right)
                continue;
            sum += exp(*logit - *right);
            is_largest = is_largest && *logit < *right;
        }
        total.loss += log(sum);
        total.accuracy += is_largest;
    }
    const double images = (double)(mnist->count - first);
    return (struct evaluation){total.loss / images, total.accuracy / images};
}

static const char *queue_step(struct training *training, int64_t b)
{
    const struct backend *backend = training->backend;
    unsigned char problem[OP_PROBLEM_BYTES_MAX];
    for (size_t i = IMAGES; i <= LABELS; i++)
        TRY_CALL(backend->upload(training->memory[i], batch_of(training, i, b), training->bytes[i]));
    op_bind(training->rung->op, &training->workload, training->memory, problem);
    TRY_CALL(training->rung->run(problem, backend->stream()));
    void *updated = training->memory[UPDATED]; /* the next step starts from there */
    training->memory[UPDATED] = training->memory[PARAMETERS];
    training->memory[PARAMETERS] = updated;
    return NULL;
}

static const char *queue_epoch(struct training *training)
{
    const struct backend *backend = training->backend;
    const size_t bytes = training->bytes[PARAMETERS];
    TRY_CALL(backend->upload(training->memory[PARAMETERS], training->parameters, bytes));
    for (int64_t b = 0; b < training->batches; b++)
        TRY_CALL(queue_step(training, b));
    return backend->download(training->parameters, training->memory[PARAMETERS], bytes);
}

/* Until a row cannot be written to `table`. */
static const char *train(struct training *training, const struct mnist *mnist, int epochs, FILE *table)
{
    const struct mnist_step_problem network = {
        .inputs = MNIST_PIXELS, .hidden = HIDDEN, .classes = MNIST_CLASSES, .parameters = training->parameters};
    const struct backend *backend = training->backend;
    fprintf(table, "variant,epoch,seconds,loss,accuracy\n");
    for (size_t i = 0; i < BUFFERS; i++)
        TRY_CALL(backend->allocate(training->bytes[i], EDGE_ANY, &training->memory[i]));
    for (int epoch = 0; epoch <= epochs && fflush(table) == 0; epoch++) {
        const double start_s = host_now();
        if (epoch > 0)
            TRY_CALL(backend_finish(backend, queue_epoch(training)));
        const double seconds = host_now() - start_s;
        const struct evaluation found = evaluate(&network, mnist, training->batches * BATCH);
        fprintf(table, "%s,%d,%.6g,%.6g,%.6g\n", training->rung->variant, epoch, epoch > 0 ? seconds : 0, found.loss,
                found.accuracy);
    }
    return NULL;
}

static int open_and_train(struct training *training, const struct mnist *mnist, int epochs)
{
    const struct backend_settings settings = {.device = -1};
    FILE *kept = fdopen(dup(STDOUT_FILENO), "w"), *table = kept ? kept : stdout;
    if (kept) /* what rungs print is no row; else stdout is closed, and none can be written */
        dup2(STDERR_FILENO, STDOUT_FILENO);
    const char *error = training->backend->open(&settings);
    if (error)
        return fail(EXIT_ALL_SKIPPED, training->rung->backend->label, error);
    prepare(training, mnist);
    error = train(training, mnist, epochs, table);
    int status = error ? fail(EXIT_WRONG, training->rung->variant, error) : EXIT_RIGHT;
    if (fflush(table) != 0 || ferror(table))
        status = fail(EXIT_USAGE, "stdout", "the table cannot be written");
    for (size_t i = BUFFERS; i-- > 0;)
        if (training->memory[i])
            training->backend->release(training->memory[i]);
    training->backend->close();
    return status;
}

static int print(const char *text, const char *refusal)
{
    bool ok = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    return ok ? EXIT_RIGHT : fail(EXIT_USAGE, "stdout", refusal);
}

int main(int argc, char **argv)
{
    standard_streams_fill();
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return print(usage, "the help cannot be written");
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return print("rungbench-train " RUNGBENCH_VERSION " " RUNGBENCH_GIT_REVISION "\n",
                     "the version cannot be written");
    if (argc < 3 || argc > 4)
        return fputs(usage, stderr), EXIT_USAGE;
    const char *folder = argv[1], *variant = argv[2];
    char *end = NULL;
    const long epochs = argc == 4 ? strtol(argv[3], &end, 10) : 5;
    if (end && (end == argv[3] || *end != '\0' || epochs < 1 || epochs > EPOCHS_MAX))
        return fail(EXIT_USAGE, argv[3], "expected a number of epochs from 1 to 1000");
    struct training training = {.rung = registry_find(&rungbench_registry, "mnist_step", variant),
                                .workload = {"training", {BATCH, MNIST_PIXELS, HIDDEN, MNIST_CLASSES}, 0}};
    if (!training.rung)
        return fail(EXIT_USAGE, variant, "expected a rung of mnist_step, as rungbench --list names them");
    if (!training.rung->run)
        return fail(EXIT_ALL_SKIPPED, variant, training.rung->unavailable);
    training.backend = training.rung->backend->backend;
    struct mnist mnist;
    struct error error;
    if (!mnist_read(folder, &mnist, &error))
        return error_report(&error);
    training.batches = mnist.count * 4 / 5 / BATCH;
    int status = EXIT_USAGE;
    if (!mnist.labels || training.batches == 0)
        fail(status, folder, mnist.labels ? "too few images, expected at least 80" : "has no labels");
    else
        status = open_and_train(&training, &mnist, (int)epochs);
    free(training.host[IMAGES]);
    free(training.host[LABELS]);
    free(training.parameters);
    mnist_free(&mnist);
    return status;
}
