/* Processes that were started and not ended. */
#include "bench/base/process.h"
#include "tests/unit.h"

#include <pthread.h>

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void *start_in_thread(void *unused)
{
    if (fork() == 0)
        wait_for_ever();
    return unused;
}

TEST(without_children_nothing_is_left)
{
    assert_int_equal(left_behind_kill(NULL, 0), 0);
}

TEST(children_of_all_threads_are_killed)
{
    pthread_t thread;
    start_in_thread(NULL);
    pthread_create(&thread, NULL, start_in_thread, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(left_behind_kill(NULL, 0), 2);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

TEST(children_of_children_are_killed)
{
    int ends[2];
    char byte;
    left_behind_adopt();
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            wait_for_ever();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(left_behind_kill(NULL, 0), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0); /* nobody holds the pipe open */
    close(ends[0]);
}
