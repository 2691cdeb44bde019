/* What a program does that gets no memory. */
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "tests/unit.h"

static const char path[] = "rows.txt";

_Noreturn static void run_out(const char *record)
{
    static struct output output;
    struct error error;
    interrupt_install(output_rescue_all);
    bool ok = output_open(&output, path, &error) && output_write_preamble(&output, "rows\n", 5, &error) &&
              (!record || output_write(&output, record, strlen(record), &error));
    if (ok)
        memory_have(NULL);
    _exit(0);
}

/* Whether the file is there after a process that ran out of memory. */
static bool is_left(const char *record)
{
    int status;
    remove(path);
    pid_t child = fork();
    if (child == 0)
        run_out(record);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE);
    assert_int_not_equal(access("rows.txt.partial", F_OK), 0);
    return access(path, F_OK) == 0;
}

TEST(files_with_results_get_their_names)
{
    assert_true(is_left("a row\n"));
    assert_false(is_left(NULL));
    remove(path);
}
