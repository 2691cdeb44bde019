/* Verification where rungs run in this process: access outside of the buffers ends the process, and so does access
 * after the return; threads may not go on. */
#include "bench/table/matmul.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

#include <omp.h>
#include <pthread.h>
#include <time.h>

/* One element of this buffer is touched, so far from the first or from the one behind the last. */
static struct {
    int buffer;
    bool from_end, writes;
    int64_t offset;
} outside;

static const char *reach_outside(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    volatile float *const starts[] = {(float *)(uintptr_t)p->a, (float *)(uintptr_t)p->b, p->c};
    const int64_t elements[] = {p->m * p->k, p->k * p->n, p->m * p->n};
    volatile float *at = starts[outside.buffer] + (outside.from_end ? elements[outside.buffer] : 0) + outside.offset;
    fake_multiply(p);
    float seen = *at;
    if (outside.writes)
        *at = seen;
    return NULL;
}

static const char *right_with_threads(const void *problem, void *stream)
{
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 1)
        fake_multiply(problem);
    return NULL;
}

static struct matmul_problem late_problem;
static struct timespec late_pause;

/* After the call has returned. */
static void *write_late(void *unused)
{
    nanosleep(&late_pause, NULL);
    fake_multiply(&late_problem);
    return unused;
}

static const char *leave_writer(const void *problem, void *stream)
{
    pthread_t thread;
    memcpy(&late_problem, problem, sizeof late_problem);
    fake_multiply(&late_problem);
    return pthread_create(&thread, NULL, write_late, NULL) == 0 && pthread_detach(thread) == 0 ? NULL : "no thread";
}

enum { CORRECT, REJECTED, ENDED };

static void verify_sizes(struct link *link, const struct rung *rung, struct check *check)
{
    verify_ragged(link, rung, 5, check);
}

/* In the same buffers. */
static void verify_awaited(struct link *link, const struct rung *rung, struct check *check)
{
    static const struct workload workload = {"9x10x11", {9, 10, 11}, 0};
    struct problem problem;
    assert_true(problem_make(&problem, link, rung->op, &workload, &(struct input_source){.seed = 5}));
    assert_true(verify_place(link, rung, &problem, &(struct placement){.edge = EDGE_START}, check));
    for (int i = 0; i < 20; i++)
        verify_answer(link, rung, &problem, CALL_AWAITED, check);
}

/* What verification says of the rung in a process of its own. */
static int verdict_on(rung_function *run, void (*verify)(struct link *, const struct rung *, struct check *))
{
    static const struct backend_entry host = {"host", "Host", false, false, &cpu_backend};
    static struct op few_sizes;
    few_sizes = matmul_op;
    few_sizes.ragged_count = 4;
    const struct rung rung = {.variant = "made up", .op = &few_sizes, .backend = &host, .run = run};
    const struct registry registry = {&host, 1, NULL, 0, &rung, 1};
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct check check;
        (void)signal(SIGSEGV, SIG_DFL);
        verify(here_open(&registry, &(struct backend_settings){.device = -1, .threads = 2}, host_now), &rung, &check);
        _exit(check.correct ? CORRECT : REJECTED);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENDED;
}

/* Inputs are read-only. */
TEST(one_element_outside_ends_the_process)
{
    for (int i = 0; i < 3 * 2 * 2 * 2; i++) {
        bool is_outside = i / 6 % 2 == 1;
        outside.buffer = i % 3;
        outside.writes = i / 3 % 2 == 1;
        outside.from_end = i / 12 == 1;
        outside.offset = outside.from_end == is_outside ? 0 : -1;
        bool faults = is_outside || (outside.writes && outside.buffer < 2);
        assert_int_equal(verdict_on(reach_outside, verify_sizes), faults ? ENDED : CORRECT);
    }
}

TEST(threads_may_rest_after_the_return_and_not_write)
{
    late_pause.tv_nsec = 500000;
    assert_int_equal(verdict_on(leave_writer, verify_awaited), ENDED);
    assert_int_equal(verdict_on(right_with_threads, verify_awaited), CORRECT);
    assert_int_equal(verdict_on(right_with_threads, verify_sizes), CORRECT);
}
