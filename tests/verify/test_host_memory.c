/* Verification where rungs run in this process: access outside of the buffers ends the process, and so does access
 * after the return; threads may not go on. */
#include "bench/verify/verify.h"
#include "bench/table/matmul.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern const struct op matmul_op;

static const struct backend_entry host = {"host", "Host", false, false, &cpu_backend};

static void multiply(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m * p->n; i++) {
        p->c[i] = 0;
        for (int64_t q = 0; q < p->k; q++)
            p->c[i] += p->a[i / p->n * p->k + q] * p->b[q * p->n + i % p->n];
    }
}

/* One element of this buffer is touched, so far from the first or from the one behind the last. */
static struct {
    int buffer;
    bool from_end, writes;
    int64_t offset;
} outside;

static const char *reach_outside(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    volatile float *const starts[] = {(float *)(uintptr_t)p->a, (float *)(uintptr_t)p->b, p->c};
    const int64_t elements[] = {p->m * p->k, p->k * p->n, p->m * p->n};
    volatile float *at = starts[outside.buffer] + (outside.from_end ? elements[outside.buffer] : 0) + outside.offset;
    multiply(p);
    float seen = *at;
    if (outside.writes)
        *at = seen;
    return NULL;
}

/* So that nothing shows in the end. */
static const char *use_input_as_scratch(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    volatile float *a = (float *)(uintptr_t)p->a;
    float kept = *a;
    multiply(p);
    *a = 0;
    *a = kept;
    return NULL;
}

static const char *right_with_threads(const void *problem, void *stream)
{
    (void)stream;
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 1)
        multiply(problem);
    return NULL;
}

static struct matmul_problem late_problem;
static struct timespec late_pause;

/* After the call has returned. */
static void *write_late(void *unused)
{
    nanosleep(&late_pause, NULL);
    multiply(&late_problem);
    return unused;
}

static const char *leave_writer(const void *problem, void *stream)
{
    (void)stream;
    pthread_t thread;
    memcpy(&late_problem, problem, sizeof late_problem);
    multiply(&late_problem);
    return pthread_create(&thread, NULL, write_late, NULL) == 0 && pthread_detach(thread) == 0 ? NULL : "no thread";
}

enum { CORRECT, REJECTED, ENDED };

/* What verification says of the rung in a process of its own. `reason` as it must begin with, where it is rejected. */
static int verdict_on(rung_function *run, const char *reason)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct rung rung = {.variant = "made up", .op = &matmul_op, .backend = &host, .run = run};
        struct backend_settings settings = {.device = -1, .threads = 2};
        struct check check;
        (void)signal(SIGSEGV, SIG_DFL);
        if (cpu_backend.open(&settings))
            _exit(99);
        verify_ragged(&rung, 5, &check);
        if (!check.correct && !strstr(check.reason, reason))
            fprintf(stderr, "the reason is '%s', expected it to say '%s'\n", check.reason, reason);
        _exit(check.correct ? CORRECT : strstr(check.reason, reason) ? REJECTED : 99);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENDED;
}

static void one_element_outside_ends_the_process(void **state)
{
    (void)state;
    for (outside.buffer = 0; outside.buffer < 3; outside.buffer++) {
        for (int writes = 0; writes < 2; writes++) {
            int inside = writes && outside.buffer < 2 ? ENDED : CORRECT; /* inputs are read-only */
            outside.writes = writes;
            outside.from_end = false;
            outside.offset = 0;
            assert_int_equal(verdict_on(reach_outside, ""), inside);
            outside.offset = -1;
            assert_int_equal(verdict_on(reach_outside, ""), ENDED);
            outside.from_end = true;
            assert_int_equal(verdict_on(reach_outside, ""), inside);
            outside.offset = 0;
            assert_int_equal(verdict_on(reach_outside, ""), ENDED);
        }
    }
}

static void writing_to_an_input_ends_the_process(void **state)
{
    (void)state;
    assert_int_equal(verdict_on(use_input_as_scratch, ""), ENDED);
}

static void threads_that_rest_afterwards_are_right(void **state)
{
    (void)state;
    assert_int_equal(verdict_on(right_with_threads, ""), CORRECT);
}

static void a_thread_that_writes_after_the_return_is_not_accepted(void **state)
{
    (void)state;
    for (late_pause.tv_nsec = 0; late_pause.tv_nsec <= 1000000; late_pause.tv_nsec += 500000)
        assert_int_not_equal(verdict_on(leave_writer, ""), CORRECT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_element_outside_ends_the_process),
        cmocka_unit_test(writing_to_an_input_ends_the_process),
        cmocka_unit_test(threads_that_rest_afterwards_are_right),
        cmocka_unit_test(a_thread_that_writes_after_the_return_is_not_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
