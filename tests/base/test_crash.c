/* What a process leaves in memory of the signal that ends it. Each case is a child that crashes. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "bench/base/crash.h"
#include "tests/unit.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

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
    volatile char bytes[4096];
    bytes[0] = 1;
    if (bytes[0])
        overflow();
    bytes[1] = 0; /* no call in place of this one */
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

enum { TEXT_BYTES = 256 };
static char *said; /* which the child writes, too */

/* The signal that ends the child. */
static int crash(void (*way)(void))
{
    int status;
    said[0] = '\0';
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        static const int cmockas[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
        for (size_t i = 0; i < sizeof cmockas / sizeof cmockas[0]; i++)
            signal(cmockas[i], SIG_DFL);
        crash_install(said, TEXT_BYTES, describe);
        way();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int set_up(void **state)
{
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    said = mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED || said == MAP_FAILED;
}

TEST(a_fault_is_described)
{
    char expected[TEXT_BYTES];
    void (*const ways[])(void) = {touch, touch_elsewhere};
    snprintf(expected, sizeof expected, "SIGSEGV at address %p, 8 bytes into the page", (void *)(page + 8));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(crash(ways[i]), SIGSEGV);
        assert_string_equal(said, expected);
    }
}

TEST(a_signal_that_was_sent_has_no_address)
{
    assert_int_equal(crash(abort), SIGABRT);
    assert_string_equal(said, "SIGABRT");
    assert_int_equal(crash(kill_itself), SIGFPE);
    assert_string_equal(said, "SIGFPE");
}

TEST(a_full_stack_is_a_fault_too)
{
    assert_int_equal(crash(overflow), SIGSEGV);
    assert_memory_equal(said, "SIGSEGV at address 0x", 21);
}

TEST(a_copy_of_the_process_says_nothing)
{
    assert_int_equal(crash(touch_in_copy), SIGILL);
    assert_string_equal(said, "SIGILL");
}

AROUND_EACH_TEST(set_up, NULL)
