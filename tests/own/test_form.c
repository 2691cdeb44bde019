/* Which kernel a source file defines. */
#include "bench/own/form.h"
#include "tests/base/long_text.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static const struct op first = {.name = "first"}, longer = {.name = "first_other"};
static const struct op *const ops[] = {&first, &longer};
static const struct registry registry = {.ops = ops, .op_count = 2};

#define BODY "(const void *problem, void *stream)\n{\n}\n"

static struct form find(const char *source, const struct op *op)
{
    struct form form;
    struct error error;
    assert_true(form_find(source, "mine", &registry, op, &form, &error));
    return form;
}

static void assert_refused(const char *source, const struct op *op, const char *words)
{
    struct form form;
    struct error error;
    assert_false(form_find(source, "mine", &registry, op, &form, &error));
    assert_non_null(strstr(error.text, words));
}

TEST(test_a_kernel_is_of_the_operation_of_its_name_or_the_one_asked_for)
{
    static const char solution[] = "void solution(const float *a, int n)\n{\n}\n";
    const struct {
        const char *source;
        const struct op *asked, *op;
        enum form_kind kind;
    } cases[] = {{"const char *first_mine" BODY, NULL, &first, FORM_RUNG},
                 {"extern \"C\" const char* first_other_mine" BODY, NULL, &longer, FORM_RUNG},
                 {"const char\n*\nfirst_mine\n (\nconst void * p, void * s) {}", &first, &first, FORM_RUNG},
                 {solution, NULL, &first, FORM_SOLUTION},
                 {solution, &longer, &longer, FORM_SOLUTION}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct form form = find(cases[i].source, cases[i].asked);
        assert_true(form.kind == cases[i].kind && form.op == cases[i].op);
    }
}

TEST(test_prototypes_comments_and_other_functions_are_no_kernels)
{
    struct form form = find("const char *first_one(const void *p, void *s);\n"
                            "/* const char *first_two" BODY "*/\n"
                            "// const char *first_three(const void *p, void *s) {}\n"
                            "static const char *error" BODY "const char *first_mine" BODY,
                            NULL);
    assert_string_equal(form.function, "first_mine");
}

TEST(test_a_file_has_one_kernel)
{
    assert_refused("int x;", NULL, "defines no kernel, expected const char *first_NAME(");
    assert_refused("", &longer, "first_other_NAME(");
    assert_refused("void solution(int n);", NULL, "defines no kernel");
    assert_refused("const char *second_mine" BODY, NULL, "defines no kernel");
    assert_refused("const char *first_a" BODY "const char *first_b" BODY, NULL, "defines first_a and first_b");
    assert_refused("const char *first_a" BODY, &longer, "expected a kernel of --op=first_other");
}

static void assert_defines_no_kernel(const char *source)
{
    assert_refused(source, NULL, "defines no kernel");
}

TEST(test_the_time_grows_as_the_length_does)
{
    static const char *const pieces[] = {"const char *first_x(const void *", "const char *x" BODY, "void solution("};
    check_long_texts(pieces, sizeof pieces / sizeof pieces[0], assert_defines_no_kernel);
}
