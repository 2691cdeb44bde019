/* --size: which workloads it makes, what is refused and in which words, and what it says of the flags before it. */
#include "bench/select/sizes.h"
#include "parsed_flags.h"
#include "tests/unit.h"

/* "OP/NAME[AXES] OP/NAME ..." */
static void print_workloads(const struct options *options, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < options->user_count && length < size; i++) {
        const struct user_workload *user = &options->user[i];
        char axes[160], shape[64];
        op_shape(user->op, &user->workload, shape, sizeof shape);
        assert_string_equal(shape, user->workload.name);
        sizes_print_axes(options, &user->workload, axes, sizeof axes);
        length += (size_t)snprintf(text + length, size - length, "%s%s/%s%s%s%s", i > 0 ? " " : "", user->op->name,
                                   user->workload.name, axes[0] ? "[" : "", axes, axes[0] ? "]" : "");
    }
}

TEST(sizes_become_workloads)
{
    static const char *const made[][2] = {
        {"--size=matmul:m=1024,k=784,n=10", "matmul/1024x784x10"},
        {"--size map:n=7 --size=map:n=9 --size=map:n=7", "map/7 map/9"},
        {"--size=map:n=1..3", "map/1[n=1] map/2[n=2] map/3[n=3]"},
        {"--size=map:n=5..5", "map/5"},
        {"--size=map:n=4..9*2", "map/4[n=4] map/8[n=8]"},
        {"--size=map:n=1..4+3", "map/1[n=1] map/4[n=4]"},
        {"--size=map:n=1..3+3", "map/1"},
        {"--size=map:n=3..27*3,5,6..7", "map/3[n=3] map/9[n=9] map/27[n=27] map/5[n=5] map/6[n=6] map/7[n=7]"},
        {"--size=map:n=1073741824", "map/1073741824"},
        {"--size=softmax:m=1073741824,n=131072", "softmax/1073741824x131072"}, /* 2^50 bytes */
        {"--size=map:n=0007", "map/7"},
        /* The operation's first axis is the slowest. */
        {"--size=matmul:n=1..2,k=28,784,m=5",
         "matmul/5x28x1[k=28;n=1] matmul/5x28x2[k=28;n=2] matmul/5x784x1[k=784;n=1] matmul/5x784x2[k=784;n=2]"},
        {"--size=matmul:m=5,k=28,784,n=3", "matmul/5x28x3[k=28] matmul/5x784x3[k=784]"},
        {"--size=zip:m=3,n=4,view=row", "zip/3x4xrow"},
        {"--size=zip:view=transposed,whole,m=3,n=4", "zip/3x4xtransposed[view=transposed] zip/3x4xwhole[view=whole]"},
        {"--size=grayscale:height=7,width=9", "grayscale/7x9"},
        {"--size=grayscale:width=9,height=7,8", "grayscale/7x9[height=7] grayscale/8x9[height=8]"},
        {"--size=grayscale:images=1,2,height=7,width=9", "grayscale/7x9[images=1] grayscale/2x7x9[images=2]"},
        {"--size=conv2d:n=2,c=1,k=3,h=4,w=4,r=3,4", "conv2d/2x1x3x4x4x3[r=3] conv2d/2x1x3x4x4x4[r=4]"},
        {"--shape=5x6x7 --image-size 5x6 --shape=05x6x7 --shape=1x1x1073741824 --image-size=1x65535 --image-size=5x6",
         "matmul/5x6x7 grayscale/5x6 matmul/1x1x1073741824 grayscale/1x65535"},
        /* A workload is there once, and has the axes of the first of them that vary. */
        {"--shape=5x6x7 --size=matmul:m=5,k=6,n=7..8 --size=matmul:m=5..6,k=6,n=7",
         "matmul/5x6x7[n=7] matmul/5x6x8[n=8] matmul/6x6x7[m=6]"},
    };
    for (size_t i = 0; i < LENGTH(made); i++) {
        struct options options = accepted(made[i][0]);
        char text[1024];
        print_workloads(&options, text, sizeof text);
        if (strcmp(text, made[i][1]) != 0)
            fail_msg("%s: %s, expected %s", made[i][0], text, made[i][1]);
    }
}

TEST(what_makes_no_sizes_is_refused)
{
    static const char *const refused[][2] = {
        {"", "expected OP:NAME=VALUES,..., as in matmul:m=64,k=784,n=1..128"},
        {"matmul", "expected OP:NAME=VALUES,..., as in matmul:m=64,k=784,n=1..128"},
        {"mat:n=5", "there is no operation 'mat', expected one with which --list begins rows"},
        {"map:", "saw '', expected NAME=VALUES, of n"},
        {"matmul:5", "saw '5', expected NAME=VALUES, of m k n"},
        {"matmul:M=5", "matmul has no size 'M', expected m k n"},
        {"map:=5", "map has no size '', expected n"},
        {"matmul:m=5,n=6", "k is missing, expected m k n"},
        {"matmul_grad_a:k=5,n=6", "m is missing, expected m k n"},
        {"map:n=5,n=5", "n is given twice, expected a list, n=5,7"},
        {"map:n=", "n is '', expected integers from 1 to 1073741824"},
        {"map:n=5,", "n is '', expected integers from 1 to 1073741824"},
        {"map:n=5,,6", "n is '', expected integers from 1 to 1073741824"},
        {"map:n=0", "n is '0', expected integers from 1 to 1073741824"},
        {"map:n=~5", "n is ' 5', expected integers from 1 to 1073741824"},
        {"map:n=row", "n is 'row', expected integers from 1 to 1073741824"},
        {"map:n=1073741825", "n is '1073741825', expected integers from 1 to 1073741824"},
        {"map:n=18446744073709551617", "n is '18446744073709551617', expected integers from 1 to 1073741824"},
        {"map:n=0..5", "n is '0..5', expected integers from 1 to 1073741824"},
        {"map:n=1..1073741825+1073741824", "n is '1..1073741825+1073741824', expected integers from 1 to 1073741824"},
        {"map:n=9..1", "n is '9..1', which ends before it begins, expected the smaller size first"},
        {"map:n=1..9+0", "n is '1..9+0', which does not grow, expected a step from 1 on or a factor from 2 on"},
        {"map:n=1..9*1", "n is '1..9*1', which does not grow, expected a step from 1 on or a factor from 2 on"},
        {"map:n=1..", "n is '1..', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR"},
        {"map:n=1..9-2", "n is '1..9-2', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR"},
        {"map:n=1..9+", "n is '1..9+', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR"},
        {"zip:m=5,n=37,view=1", "view is '1', expected whole, row, column or transposed"},
        {"zip:m=5,n=37,view=row..column", "view is 'row..column', expected whole, row, column or transposed"},
        {"zip:m=row,n=37,view=row", "m is 'row', expected integers from 1 to 1073741824"},
        {"conv2d:n=1,c=1,k=1,h=3..5,w=4,r=4", "1x1x1x3x4x4: a filter of 4x4, expected at most the image's 3x4"},
        {"matmul:m=1073741824,k=1,1073741824,n=1",
         "1073741824x1073741824x1: arrays of 4.61e+18 bytes, expected at most 1.13e+15"},
        {"softmax:m=1073741824,n=131073", "1073741824x131073: arrays of 1.13e+15 bytes, expected at most 1.13e+15"},
        {"map:n=1..1001", "n is '1..1001', which makes more than 1000 workloads, expected that many at most"},
        {"map:n=1..1000,1..30*2", "n is '1..30*2', which makes more than 1000 workloads, expected that many at most"},
        {"softmax:m=1..7,n=1..143", "makes 1001 workloads, expected at most 1000"},
    };
    for (size_t i = 0; i < LENGTH(refused); i++) {
        char flags[256], text[512];
        snprintf(flags, sizeof flags, "--size=%s", refused[i][0]);
        snprintf(text, sizeof text, "%s: %s", flags, refused[i][1]);
        for (char *space = text; (space = strchr(space, '~'));)
            *space = ' ';
        assert_refused(flags, text, "", "");
    }
    assert_int_equal(accepted("--size=map:n=1..1000 --size=map:n=7..8").user_count, OPTIONS_USER_WORKLOADS_MAX);
    assert_refused("--size=map:n=1..600 --size=dot:n=1..401", "--size=dot:n=1..401: ", "more than 1000 workloads of",
                   "at most");
}

/* Names of sizes are the registry's, so they may be of an operation that the program has not been built with. */
TEST(a_name_must_fit_into_the_name_of_a_row)
{
    static const struct op wide = {
        .name = "wide", .sizes = "a b c d e f", .args = {{"x", "a"}, {"y", "b", .is_output = true}}};
    static const struct op *const ops[] = {&wide};
    const struct registry registry = {.ops = ops, .op_count = 1};
    struct options options = {.sizes = {"wide:a=1000000000,b=1000000000,c=1000000000,d=1000000000,e=5,f=5"},
                              .size_count = 1};
    struct error error;
    assert_true(sizes_add(&options, &registry, &error));
    assert_string_equal(options.user[0].workload.name, "1000000000x1000000000x1000000000x1000000000x5x5");
    assert_int_equal(strlen(options.user[0].workload.name), sizeof options.user[0].workload.name - 1);
    options.sizes[0] = "wide:a=1000000000,b=1000000000,c=1000000000,d=1000000000,e=5,f=10";
    assert_false(sizes_add(&options, &registry, &error));
    assert_non_null(strstr(error.text, "a name of 48 characters, expected at most 47"));
}

TEST(a_product_says_how_many_workloads_it_makes)
{
    struct options options = accepted("--size=softmax:m=1..5,n=4,5 --size=map:n=5");
    assert_string_equal(options.notes, "test_sizes: note: --size=softmax:m=1..5,n=4,5 makes 10 workloads\n");
}
