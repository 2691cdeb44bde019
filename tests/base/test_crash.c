/* What a process says of the signal that ends it. Each case is a child that crashes. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "bench/base/crash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile page; /* which may not be touched */

static bool describe(const void *address, char *text, size_t size)
{
    snprintf(text, size, "%td bytes into the page", (const char *)address - page);
    return (const char *)address >= page && (const char *)address < page + 4096;
}

static void touch(void)
{
    page[8] = 1;
}

static void *touch_in_thread(void *unused)
{
    touch();
    return unused;
}

static void touch_elsewhere(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, touch_in_thread, NULL);
    pthread_join(thread, NULL);
}

static void overflow(void)
{
    char bytes[4096];
    memset(bytes, (int)(size_t)&bytes, sizeof bytes);
    page = bytes;
    if (page)
        overflow();
}

static void kill_itself(void)
{
    raise(SIGFPE);
}

static void touch_in_copy(void)
{
    pid_t copy = fork();
    if (copy == 0)
        touch();
    waitpid(copy, NULL, 0);
    raise(SIGILL);
}

/* What the child writes, and the signal that ends it. */
static int crash(void (*way)(void), char *said, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        static const int cmockas[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
        for (size_t i = 0; i < sizeof cmockas / sizeof cmockas[0]; i++)
            signal(cmockas[i], SIG_DFL);
        close(ends[0]);
        crash_install(ends[1], "it is ", describe);
        way();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int set_up(void **state)
{
    (void)state;
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED;
}

static void a_fault_is_described(void **state)
{
    (void)state;
    char said[512], expected[512];
    void (*const ways[])(void) = {touch, touch_elsewhere};
    snprintf(expected, sizeof expected, "it is SIGSEGV at address %p, 8 bytes into the page\n", (void *)(page + 8));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(crash(ways[i], said, sizeof said), SIGSEGV);
        assert_string_equal(said, expected);
    }
}

static void a_signal_that_was_sent_has_no_address(void **state)
{
    (void)state;
    char said[512];
    assert_int_equal(crash(abort, said, sizeof said), SIGABRT);
    assert_string_equal(said, "it is SIGABRT\n");
    assert_int_equal(crash(kill_itself, said, sizeof said), SIGFPE);
    assert_string_equal(said, "it is SIGFPE\n");
}

static void a_full_stack_is_a_fault_too(void **state)
{
    (void)state;
    char said[512];
    assert_int_equal(crash(overflow, said, sizeof said), SIGSEGV);
    assert_memory_equal(said, "it is SIGSEGV at address 0x", 27);
}

static void a_copy_of_the_process_says_nothing(void **state)
{
    (void)state;
    char said[512];
    assert_int_equal(crash(touch_in_copy, said, sizeof said), SIGILL);
    assert_string_equal(said, "it is SIGILL\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_fault_is_described, set_up),
        cmocka_unit_test_setup(a_signal_that_was_sent_has_no_address, set_up),
        cmocka_unit_test_setup(a_full_stack_is_a_fault_too, set_up),
        cmocka_unit_test_setup(a_copy_of_the_process_says_nothing, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
