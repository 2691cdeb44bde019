/* The operation mnist_step: its step is along the gradient of the loss, and answers that are wrong in one place of the
 * computation are refused. What it shares with others is in test_operations.c. */
#include "bench/data/mnist.h"
#include "bench/table/mnist_step.h"
#include "array_problem.h"
#include "tests/unit.h"

enum { IMAGES, LABELS, PARAMETERS, UPDATED, BUFFERS };

/* In the way of a rung. */
enum mistake {
    NO_MISTAKE,
    BACKWARD_ORDER, /* is none: sums in the other order */
    NO_MEAN,
    NO_BIAS,
    NO_BIAS_UPDATE,
    LAST_IMAGE_LEFT_OUT,
    LAST_PIXEL_LEFT_OUT,
    RELU_OF_NOTHING,
    RELU_LETS_ZERO_BACK,
    LOGITS_AS_THEY_ARE,
    LABELS_SUM_TO_ONE,
    UPWARD,
    NEW_WEIGHTS_GO_BACK, /* the second layer is updated before the gradient goes through it */
    GRADIENT_OF_12_BITS,
};

struct case_of {
    struct workload workload;
    struct array_problem made;
    struct mnist_step_problem problem;
    float *memory[BUFFERS];
};

static void make_case(struct case_of *of, const int64_t sizes[4])
{
    *of = (struct case_of){.workload = {"made", {sizes[0], sizes[1], sizes[2], sizes[3]}, 0}};
    of->made = array_problem_make(&mnist_step_op, &of->workload, INPUT_RANDOM);
    assert_int_equal(of->made.count, BUFFERS);
    for (size_t i = 0; i < BUFFERS; i++)
        of->memory[i] = of->made.host[i];
    op_bind(&mnist_step_op, &of->workload, of->made.host, &of->problem);
}

static void fill(struct case_of *of, uint64_t seed, enum input_kind kind)
{
    array_problem_fill(&of->made, &(struct input_source){.seed = seed, .kind = kind});
}

/* The loss in double precision, with these parameters. */
static double loss_of(const struct mnist_step_problem *p, const double *parameters)
{
    const double *second = parameters + mnist_step_second(p);
    double loss = 0;
    for (int64_t i = 0; i < p->batch; i++) {
        double z[8], sum = 0, h[8];
        for (int64_t j = 0; j < p->hidden; j++) {
            h[j] = parameters[p->inputs * p->hidden + j];
            for (int64_t k = 0; k < p->inputs; k++)
                h[j] += (double)p->images[i * p->inputs + k] * parameters[k * p->hidden + j];
            h[j] = fmax(h[j], 0);
        }
        for (int64_t c = 0; c < p->classes; c++) {
            z[c] = second[p->hidden * p->classes + c];
            for (int64_t j = 0; j < p->hidden; j++)
                z[c] += h[j] * second[j * p->classes + c];
            sum += exp(z[c]);
        }
        for (int64_t c = 0; c < p->classes; c++)
            loss -= (double)p->labels[i * p->classes + c] * (z[c] - log(sum));
    }
    return loss / (double)p->batch;
}

static void answer(const struct mnist_step_problem *p, enum mistake mistake);

TEST(the_step_is_along_the_gradient_of_the_loss)
{
    struct case_of made;
    make_case(&made, (const int64_t[]){3, 4, 5, 3});
    const struct mnist_step_problem *p = &made.problem;
    const int64_t count = mnist_step_parameters(p);
    double parameters[64];
    assert_true(count <= 64);
    for (uint64_t seed = 0; seed < 5; seed++) {
        fill(&made, seed, INPUT_RANDOM);
        for (int64_t e = 0; e < p->batch * p->classes && seed > 2; e++) /* weights of classes, not only one */
            made.memory[LABELS][e] = (float)(e % 5) - 1.5f;
        for (int64_t e = 0; e < count; e++)
            parameters[e] = p->parameters[e];
        for (int64_t e = 0; e < count; e++) {
            const double middle = parameters[e], step = 0x1p-17;
            parameters[e] = middle + step;
            double above = loss_of(p, parameters);
            parameters[e] = middle - step;
            double below = loss_of(p, parameters);
            parameters[e] = middle;
            p->updated[e] = (float)(middle - (double)MNIST_STEP_RATE * (above - below) / (2 * step));
        }
        assert_true(array_problem_check(&made.made).max_abs_err < 1e-6); /* what differences of a loss leave */
        answer(p, NO_MISTAKE);
        assert_answer_right(&made.made);
    }
    array_problem_free(&made.made);
}

/* A sum of products, forwards or backwards. */
static float dot(int64_t count, const float *a, int64_t a_step, const float *b, int64_t b_step, float sum,
                 bool backward)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t e = backward ? count - 1 - i : i;
        sum += a[e * a_step] * b[e * b_step];
    }
    return sum;
}

static float rounded_to_12_bits(float x)
{
    return ldexpf(roundf(ldexpf(x, 12)), -12);
}

/* Writes `updated` in FP32. */
static void answer(const struct mnist_step_problem *p, enum mistake mistake)
{
    const int64_t n = p->inputs, h = p->hidden, k = p->classes, second = mnist_step_second(p);
    const int64_t batch = p->batch - (mistake == LAST_IMAGE_LEFT_OUT);
    const int64_t pixels = n - (mistake == LAST_PIXEL_LEFT_OUT);
    const bool backward = mistake == BACKWARD_ORDER;
    const float *w1 = p->parameters, *w2 = w1 + second,
                *through = mistake == NEW_WEIGHTS_GO_BACK ? p->updated + second : w2;
    const float use = mistake == NO_BIAS ? 0 : 1, one = 1;
    const float rate = MNIST_STEP_RATE / (mistake == NO_MEAN ? 1 : (float)p->batch) * (mistake == UPWARD ? -1 : 1);
    float *hidden = malloc((size_t)(p->batch * h) * 2 * sizeof *hidden), *dh = hidden + p->batch * h;
    float *d = malloc((size_t)(p->batch * k) * sizeof *d);
    assert_non_null(hidden);
    assert_non_null(d);
    for (int64_t i = 0; i < batch; i++) {
        const float *y = p->labels + i * k;
        float *z = d + i * k, largest = -INFINITY, sum = 0, weight = 0;
        for (int64_t j = 0; j < h; j++) {
            float unit = dot(pixels, p->images + i * n, 1, w1 + j, h, use * w1[n * h + j], backward);
            hidden[i * h + j] = unit > 0 || mistake == RELU_OF_NOTHING ? unit : 0;
        }
        for (int64_t c = 0; c < k; c++) {
            z[c] = dot(h, hidden + i * h, 1, w2 + c, k, use * w2[h * k + c], backward);
            largest = fmaxf(largest, z[c]);
        }
        for (int64_t c = 0; c < k; c++) {
            z[c] = expf(z[c] - (mistake == LOGITS_AS_THEY_ARE ? 0 : largest));
            sum += z[c];
            weight += y[c];
        }
        for (int64_t c = 0; c < k; c++)
            z[c] = z[c] / sum * (mistake == LABELS_SUM_TO_ONE ? 1 : weight) - y[c];
        for (int64_t c = 0; c < k && mistake == GRADIENT_OF_12_BITS; c++)
            z[c] = rounded_to_12_bits(z[c]);
    }
    for (int64_t e = 0; e < (h + 1) * k; e++) {
        const int64_t j = e / k, c = e % k;
        float sum = dot(batch, j < h ? hidden + j : &one, j < h ? h : 0, d + c, k, 0, backward);
        p->updated[second + e] = w2[e] - (j == h && mistake == NO_BIAS_UPDATE ? 0 : rate * sum);
    }
    for (int64_t i = 0; i < batch; i++) {
        for (int64_t j = 0; j < h; j++) {
            bool lets = hidden[i * h + j] > 0 || (mistake == RELU_LETS_ZERO_BACK && hidden[i * h + j] == 0);
            dh[i * h + j] = lets ? dot(k, d + i * k, 1, through + j * k, 1, 0, backward) : 0;
        }
    }
    for (int64_t e = 0; e < (n + 1) * h; e++) {
        const int64_t pixel = e / h, j = e % h;
        float sum = dot(batch, pixel < n ? p->images + pixel : &one, pixel < n ? n : 0, dh + j, h, 0, backward);
        p->updated[e] = w1[e] - (pixel == n && mistake == NO_BIAS_UPDATE ? 0 : rate * sum);
    }
    free(hidden);
    free(d);
}

/* The last is shared out to threads, and has more columns than grow together. */
static const int64_t sizes[][4] = {{1, 1, 1, 1},   {1, 7, 1, 3},      {9, 9, 4, 3},
                                   {67, 19, 8, 3}, {16, 200, 40, 10}, {33, 480, 70, 66}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

TEST(fp32_sums_in_any_order_pass)
{
    for (size_t size = 0; size < SIZES; size++) {
        struct case_of made;
        make_case(&made, sizes[size]);
        for (uint64_t seed = 0; seed < (size + 1 < SIZES ? 6 : 1); seed++)
            for (int kind = 0; kind < INPUT_KINDS; kind++)
                for (enum mistake order = NO_MISTAKE; order <= BACKWARD_ORDER; order++) {
                    fill(&made, seed, (enum input_kind)kind);
                    answer(&made.problem, order);
                    assert_answer_right(&made.made);
                }
        array_problem_free(&made.made);
    }
}

/* On the input that is measured, unless another kind is needed to show it. */
TEST(a_mistake_in_any_part_is_refused)
{
    static const enum input_kind shown_by[] = {
        [RELU_LETS_ZERO_BACK] = INPUT_ZEROS,
        [LOGITS_AS_THEY_ARE] = INPUT_INTEGERS,
        [LABELS_SUM_TO_ONE] = INPUT_INTEGERS,
        [GRADIENT_OF_12_BITS] = INPUT_RANDOM,
    };
    for (size_t size = 2; size < SIZES; size++) {
        struct case_of made;
        make_case(&made, sizes[size]);
        for (enum mistake mistake = NO_MEAN; mistake <= GRADIENT_OF_12_BITS; mistake++) {
            fill(&made, 1, shown_by[mistake]);
            answer(&made.problem, mistake);
            if (array_problem_check(&made.made).correct)
                fail_msg("size %zu: mistake %d passes", size, (int)mistake);
        }
        array_problem_free(&made.made);
    }
}

/* An input of relu that rounding can make 0, or not: 1 + 2^-24 - 1. Both answers are right, and others are not. */
TEST(where_rounding_decides_about_relu_both_answers_pass)
{
    struct case_of made;
    make_case(&made, (const int64_t[]){1, 3, 1, 2});
    const float images[] = {1, 0x1p-24f, -1}, labels[] = {1, 0}, parameters[] = {1, 1, 1, 0, 1, -1, 0, 0};
    memcpy(made.memory[IMAGES], images, sizeof images);
    memcpy(made.memory[LABELS], labels, sizeof labels);
    memcpy(made.memory[PARAMETERS], parameters, sizeof parameters);
    answer(&made.problem, NO_MISTAKE);
    assert_true(made.memory[UPDATED][0] == 1);
    assert_true(array_problem_check(&made.made).correct);
    answer(&made.problem, RELU_LETS_ZERO_BACK);
    assert_true(made.memory[UPDATED][0] > 1.1f);
    assert_true(array_problem_check(&made.made).correct);
    made.memory[UPDATED][0] += 0.5f;
    assert_false(array_problem_check(&made.made).correct);
    array_problem_free(&made.made);
}

static float largest_of(const float *numbers, int count)
{
    float largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(numbers[i]));
    return largest;
}

/* Of questions, too, in which numbers that nothing is said of are large. */
TEST(random_weights_are_those_of_a_network_before_it_is_trained)
{
    struct case_of made;
    make_case(&made, (const int64_t[]){20, 64, 9, 3});
    for (uint64_t seed = 0; seed < 8; seed++) {
        array_problem_fill(&made.made, &(struct input_source){.seed = seed, .asks = seed > 0});
        const float weight = largest_of(made.memory[PARAMETERS], 65 * 9 + 10 * 3);
        const float pixel = largest_of(made.memory[IMAGES], 20 * 64);
        assert_true(weight <= 0.125f && weight > 0.12f && pixel <= 1 && pixel > 0.9f);
    }
    array_problem_free(&made.made);
}

TEST(an_image_has_its_label_where_mnist_has_labels)
{
    enum { COUNT = 3, BATCH = 5 };
    static uint8_t pixels[COUNT * MNIST_PIXELS], labels[COUNT] = {7, 0, 9};
    memset(pixels, 51, sizeof pixels);
    for (int image = 0; image < COUNT; image++)
        pixels[image * MNIST_PIXELS + 2] = (uint8_t)image; /* tells which it is */
    struct mnist mnist = {"t10k-images", COUNT, pixels, labels};
    struct case_of made;
    make_case(&made, (const int64_t[]){BATCH, MNIST_PIXELS, 2, MNIST_CLASSES});
    for (uint64_t seed = 0; seed < 8; seed++) { /* from 1 on questions, of which images are permuted */
        const struct input_source source = {.seed = seed, .real.mnist = &mnist, .asks = seed > 0};
        array_problem_fill(&made.made, &source);
        assert_string_equal(made.made.note.text, "t10k-images (its 3 images repeat)");
        for (int i = 0; i < BATCH; i++) {
            const int image = (int)(made.memory[IMAGES][i * MNIST_PIXELS + 2] * 255 + 0.5f);
            for (int c = 0; c < MNIST_CLASSES; c++)
                assert_true(made.memory[LABELS][i * MNIST_CLASSES + c] == (c == labels[image] ? 1.0f : 0.0f));
        }
        assert_true(made.memory[IMAGES][0] == 0.2f);
    }
    mnist.labels = NULL;
    array_problem_fill(&made.made, &(struct input_source){.real.mnist = &mnist});
    assert_string_equal(made.made.note.text, "t10k-images (its 3 images repeat), random labels");
    for (int i = 0; i < BATCH; i++) {
        float sum = 0;
        for (int c = 0; c < MNIST_CLASSES; c++)
            sum += made.memory[LABELS][i * MNIST_CLASSES + c];
        assert_true(sum == 1);
    }
    array_problem_free(&made.made);
}
