#include "scarce_memory.h"
#include "tests/unit.h"

static long allocations_left;
static bool is_scarce;

static bool runs_out(void)
{
    bool runs = is_scarce && allocations_left-- == 0;
    if (runs)
        errno = ENOMEM;
    return runs;
}

#define WRAP(type, name, parameters, arguments)             \
    type __real_##name parameters;                          \
    type __wrap_##name parameters;                          \
    type __wrap_##name parameters                           \
    {                                                       \
        return runs_out() ? NULL : __real_##name arguments; \
    }
WRAP(void *, malloc, (size_t bytes), (bytes))
WRAP(void *, calloc, (size_t count, size_t bytes), (count, bytes))
WRAP(void *, realloc, (void *memory, size_t bytes), (memory, bytes))
WRAP(FILE *, open_memstream, (char **text, size_t *count), (text, count))

/* In the child. */
_Noreturn static void work_without(long allocation, bool (*work)(struct error *error), int said)
{
    struct error error;
    dup2(said, STDERR_FILENO);
    allocations_left = allocation;
    is_scarce = true;
    bool ok = work(&error);
    is_scarce = false;
    if (!ok)
        (void)fprintf(stderr, "%s\n", error.text);
    _exit(!ok ? EXIT_USAGE : allocations_left < 0 ? EXIT_WRONG : EXIT_RIGHT);
}

/* The status of the child. */
static int try_without(long allocation, bool (*work)(struct error *error))
{
    char said[1024] = "";
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        work_without(allocation, work, ends[1]);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(ends[0], said, sizeof said - 1) >= 0);
    close(ends[0]);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != EXIT_RIGHT && !strstr(said, "no memory") && !strstr(said, "Cannot allocate memory"))
        fail_msg("without allocation %ld: '%s'", allocation, said);
    return WEXITSTATUS(status);
}

long scarce_memory_try(bool (*work)(struct error *error))
{
    for (long allocation = 0;; allocation += unit_at_length() ? 1 : 1 + allocation / 32) {
        int status = try_without(allocation, work);
        if (status == EXIT_RIGHT)
            return allocation;
        assert_int_equal(status, EXIT_USAGE);
    }
}
