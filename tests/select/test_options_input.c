/* The command line: workloads of the user's own, and where input comes from. */
#include "parsed_flags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void a_seed_has_64_bits(void **state)
{
    (void)state;
    assert_int_equal(accepted("--seed=0").seed, 0);
    assert_true(accepted("--seed=18446744073709551615").seed == UINT64_MAX);
    static const char *const values[] = {"18446744073709551616", "-1", "x", "", "1.5", "+1", "12abc"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--seed=%s", values[i]);
        assert_refused(flags, "--seed", values[i], "2^64");
    }
}

static void mnist_is_a_folder(void **state)
{
    (void)state;
    assert_string_equal(accepted("--mnist=/data/mnist").mnist, "/data/mnist");
}

static void a_shape_is_a_workload(void **state)
{
    (void)state;
    struct options options = accepted("--shape=5x784x10");
    assert_int_equal(options.user_count, 1);
    assert_ptr_equal(options.user[0].op, &matmul_op);
    assert_string_equal(options.user[0].workload.name, "5x784x10");
    assert_int_equal(options.user[0].workload.size[0], 5);
    assert_int_equal(options.user[0].workload.size[1], 784);
    assert_int_equal(options.user[0].workload.size[2], 10);
    assert_int_equal(options.user[0].workload.suites, 0);
}

static void an_image_size_is_a_workload(void **state)
{
    (void)state;
    struct options options = accepted("--image-size=1080x1920");
    assert_int_equal(options.user_count, 1);
    assert_ptr_equal(options.user[0].op, &grayscale_op);
    assert_string_equal(options.user[0].workload.name, "1080x1920");
    char shape[64];
    grayscale_op.shape(&options.user[0].workload, shape, sizeof shape);
    assert_string_equal(shape, "1080x1920");
}

static void sizes_from_one_to_two_to_the_30_are_taken(void **state)
{
    (void)state;
    struct options options = accepted("--shape=1x1x1073741824 --image-size=1x65535 --image-size=1x1");
    assert_int_equal(options.user_count, 3);
    assert_int_equal(options.user[0].workload.size[2], 1073741824);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "",         "5",        "5x784",    "5x784x10x2", "0x784x10", "-5x784x10",      "5x784x",
        "x784x10",  "5xx10",    "5x7.5x10", "ax784x10",   "5X784X10", "1073741825x1x1", "99999999999999999999x1x1",
        "5,784,10", "+5x784x10"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--shape=%s", shapes[i]);
        assert_refused(flags, "--shape", shapes[i], "MxKxN");
    }
    assert_refused("--shape=5x784x10~", "--shape", "5x784x10 ", "MxKxN");
    assert_refused("--shape=5~x784x10", "--shape", "5 x784x10", "MxKxN");
    static const char *const sizes[] = {"", "28", "28x", "28x28x28", "0x28", "28x-1", "1073741825x1", "28*28"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--image-size=%s", sizes[i]);
        assert_refused(flags, "--image-size", sizes[i], "HxW");
    }
}

static void workloads_given_twice_are_one(void **state)
{
    (void)state;
    struct options options = accepted("--shape=5x6x7 --image-size=5x6 --shape=05x6x7 --shape=5x6x8 --image-size=5x6");
    assert_int_equal(options.user_count, 3);
    assert_string_equal(options.user[0].workload.name, "5x6x7");
    assert_string_equal(options.user[1].workload.name, "5x6");
    assert_string_equal(options.user[2].workload.name, "5x6x8");
}

static void there_is_an_end_to_further_workloads(void **state)
{
    (void)state;
    char flags[4096] = "";
    for (int i = 1; i <= OPTIONS_USER_WORKLOADS_MAX; i++)
        snprintf(flags + strlen(flags), sizeof flags - strlen(flags), "--shape=%dx1x1 ", i);
    assert_int_equal(accepted(flags).user_count, OPTIONS_USER_WORKLOADS_MAX);
    strcat(flags, "--shape=1x1x1 --image-size=7x7");
    assert_refused(flags, "more than", "128", "workloads");
}

static void an_image_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_refused("--image=not-there.jpg", "--image", "not-there.jpg", "No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_has_64_bits),
        cmocka_unit_test(mnist_is_a_folder),
        cmocka_unit_test(a_shape_is_a_workload),
        cmocka_unit_test(an_image_size_is_a_workload),
        cmocka_unit_test(sizes_from_one_to_two_to_the_30_are_taken),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(workloads_given_twice_are_one),
        cmocka_unit_test(there_is_an_end_to_further_workloads),
        cmocka_unit_test(an_image_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
