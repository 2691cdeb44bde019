/* The pipe from a worker to its supervisor: what is written at one end comes out at the other. */
#include "bench/base/standard_streams.h"
#include "bench/report/column.h"
#include "bench/run/channel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char heard[4096];
static struct ceiling heard_ceiling;

static void note(const char *what, const char *text)
{
    size_t length = strlen(heard);
    snprintf(heard + length, sizeof heard - length, "%s:%s;", what, text);
}

static void row(void *self, const char *name)
{
    (void)self;
    note("row", name);
}

static void ceiling(void *self, const struct ceiling *measured)
{
    (void)self;
    heard_ceiling = *measured;
    note("ceiling", measured->backend);
}

static void result(void *self, const char *record)
{
    (void)self;
    note("result", strstr(record, "no\nmemory") ? "two lines" : record);
}

static void crash(void *self, const char *what)
{
    (void)self;
    note("crash", what);
}

static void stranger(void *self, const char *line)
{
    (void)self;
    note("stranger", line);
}

static char key[CHANNEL_KEY_BYTES];
static const struct channel_listener listener = {NULL, key, row, ceiling, result, crash, stranger};

/* What the worker's functions write to standard output. */
static size_t write_all_kinds(char *text, size_t size)
{
    int ends[2], before = dup(STDOUT_FILENO);
    struct error error;
    struct result failed = result_blank();
    struct run_facts facts = {.seed = 1};
    struct ceiling measured = {"cuda", "cold", CEILING_COPY, 1e15 / 3, "matmul/mnist", 1e-3 / 3, 0};
    failed.run = &facts;
    failed.status = STATUS_FAILED;
    strcpy(failed.reason, "no\nmemory");
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    channel_open();
    channel_row("matmul/mnist/v/hot");
    channel_ceiling(NULL, &measured);
    assert_true(channel_result(NULL, &failed, &error));
    dup2(before, STDOUT_FILENO);
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, size - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    close(before);
    return length;
}

/* Wherever a read ends. */
static void whole_messages_come_in_order(void **state)
{
    (void)state;
    char text[8192];
    size_t bytes = write_all_kinds(text, sizeof text);
    for (size_t part = 0; part <= bytes; part++) {
        heard[0] = key[0] = '\0';
        size_t taken = channel_take(&listener, text, part);
        assert_true(taken <= part);
        assert_int_equal(taken + channel_take(&listener, text + taken, bytes - taken), bytes);
        assert_string_equal(heard, "row:matmul/mnist/v/hot;ceiling:cuda;result:two lines;");
    }
    assert_string_equal(heard_ceiling.mode, "cold");
    assert_string_equal(heard_ceiling.workload, "matmul/mnist");
    assert_int_equal(heard_ceiling.kind, CEILING_COPY);
    assert_true(heard_ceiling.amount == 1e15 / 3 && heard_ceiling.seconds == 1e-3 / 3);
}

static void a_crash_is_told(void **state)
{
    (void)state;
    static const char text[] = "key abc\nabccrash SIGSEGV at address 0x0\n";
    heard[0] = key[0] = '\0';
    assert_int_equal(channel_take(&listener, text, sizeof text - 1), sizeof text - 1);
    assert_string_equal(heard, "crash:SIGSEGV at address 0x0;");
}

static void what_has_not_the_key_is_a_strangers(void **state)
{
    (void)state;
    static const char text[] = "row a\nkey abc\nkey def\nrow a\nresult 9999\n[3/9] rowabcrow b\nabcceiling of glass\n";
    heard[0] = key[0] = '\0';
    assert_int_equal(channel_take(&listener, text, sizeof text - 1), sizeof text - 1);
    assert_string_equal(heard, "stranger:row a;stranger:key def;stranger:row a;stranger:result 9999;"
                               "stranger:[3/9] rowabcrow b;stranger:ceiling of glass;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_messages_come_in_order),
        cmocka_unit_test(a_crash_is_told),
        cmocka_unit_test(what_has_not_the_key_is_a_strangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
