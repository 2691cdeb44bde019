/* What a confined process, and what it starts, can do to the machine. */
#define _GNU_SOURCE
#include "bench/player/confine.h"
#include "tests/unit.h"

#include "tests/skip.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the working folder, which is not the confined process's. */
static const char ours[] = "ours", theirs[] = "theirs";
static pid_t parent;

static const char *scratch(const char *name)
{
    static char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    return path;
}

static bool write_to(const char *path, int flags)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
    bool ok = fd >= 0 && write(fd, "x", 1) == 1;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool appends(void)
{
    return write_to(ours, O_APPEND);
}

static bool truncates(void)
{
    return truncate(ours, 0) == 0;
}

static bool creates(void)
{
    return write_to(theirs, O_CREAT);
}

static bool makes_folder(void)
{
    return mkdir(theirs, 0700) == 0;
}

static bool makes_link(void)
{
    return symlink("/", theirs) == 0;
}

static bool removes(void)
{
    return unlink(ours) == 0;
}

static bool moves_out(void)
{
    return write_to(scratch("file"), O_CREAT) && rename(scratch("file"), theirs) == 0;
}

static bool opens_output_of_parent(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/1", (long)parent);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && close(fd) == 0;
}

static bool signals_parent(void)
{
    return kill(parent, SIGURG) == 0; /* which is ignored */
}

static bool writes_scratch_files(void)
{
    return mkdir(scratch("folder"), 0700) == 0 && write_to(scratch("folder/file"), O_CREAT) &&
           truncate(scratch("folder/file"), 0) == 0 && unlink(scratch("folder/file")) == 0 &&
           rmdir(scratch("folder")) == 0;
}

static bool reads(void)
{
    int fd = open(ours, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && close(fd) == 0;
}

static bool writes_to_null(void)
{
    return write_to("/dev/null", O_TRUNC);
}

/* Landlock's version: 0 stands for none. */
static long version(void)
{
    long found = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return found < 0 ? 0 : found;
}

static struct confinement confinement;
static int messages;

static void count(const char *line)
{
    (void)line;
    messages++;
}

static int set_up(void **state)
{
    parent = getpid();
    messages = 0;
    confinement_open(&confinement, count);
    return 0;
}

static int tear_down(void **state)
{
    confinement_close(&confinement);
    return 0;
}

/* Whether it can, in a child or in one that the child starts. */
static bool can(bool (*deed)(void), bool is_confined, bool in_grandchild)
{
    int status;
    (void)unlink(theirs);
    (void)rmdir(theirs);
    assert_true(write_to(ours, O_CREAT));
    pid_t child = fork();
    if (child == 0) {
        if (is_confined && !confine(&confinement))
            _exit(2);
        if (in_grandchild && fork() != 0)
            _exit(wait(&status) > 0 ? WEXITSTATUS(status) : 2);
        _exit(deed() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static void it_writes_only_to_its_folder_and_reaches_no_other_process(void **state)
{
    static const struct {
        const char *name;
        bool (*deed)(void);
        bool may;
        long since; /* version of Landlock that prevents it */
    } deeds[] = {
        {"appends", appends, false, 1},
        {"truncates", truncates, false, 3},
        {"creates", creates, false, 1},
        {"makes a folder", makes_folder, false, 1},
        {"makes a link", makes_link, false, 1},
        {"removes", removes, false, 1},
        {"moves a file out of its folder", moves_out, false, 1},
        {"opens the parent's output", opens_output_of_parent, false, 1},
        {"signals the parent", signals_parent, false, 6},
        {"writes scratch files", writes_scratch_files, true, 0},
        {"reads", reads, true, 0},
        {"writes to /dev/null", writes_to_null, true, 0},
    };
    if (confinement.ruleset < 0)
        skip_because("this kernel has no Landlock");
    assert_int_equal(messages, 0);
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        if (!can(deeds[i].deed, false, false))
            fail_msg("unconfined, it never %s", deeds[i].name);
        for (int in_grandchild = 0; in_grandchild < 2 && version() >= deeds[i].since; in_grandchild++)
            if (can(deeds[i].deed, true, in_grandchild) != deeds[i].may)
                fail_msg("%s%s", deeds[i].may ? "it never " : "it ", deeds[i].name);
    }
}

static bool leaves_files(void)
{
    return mkdir(scratch("folder"), 0700) == 0 && write_to(scratch("folder/file"), O_CREAT);
}

/* But what a link there leads to is not. */
static void what_it_leaves_behind_is_removed(void **state)
{
    char folder[PATH_MAX], link[PATH_MAX + 8], here[PATH_MAX];
    strcpy(folder, confinement.folder);
    assert_int_equal(access(folder, W_OK), 0);
    assert_true(can(leaves_files, true, false));
    snprintf(link, sizeof link, "%s/link", folder);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(symlink(here, link), 0);
    confinement_close(&confinement);
    assert_int_not_equal(access(folder, F_OK), 0);
    assert_int_equal(access(ours, F_OK), 0);
}

static void *rest(void *unused)
{
    pause();
    return unused;
}

/* Starts so many threads, and says so. */
static void have_threads(int number, int pipe_end)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384 + 16384 / 2);
    int left = number;
    while (left > 0 && pthread_create(&thread, &attributes, rest, NULL) == 0)
        left--;
    (void)!write(pipe_end, left == 0 ? "y" : "n", 1);
    pause();
}

/* Where no control group limits them. */
static const char *excess_of(int threads, bool *could)
{
    const struct confinement no_group = {.ruleset = -1};
    int ends[2];
    char said = 'n';
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        have_threads(threads, ends[1]);
    assert_int_equal(read(ends[0], &said, 1), 1);
    const char *excess = confinement_excess(&no_group, child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    *could = said == 'y';
    return excess;
}

static void too_many_threads_are_an_excess(void **state)
{
    bool could;
    assert_null(excess_of(100, &could));
    const char *excess = excess_of(4100, &could);
    if (!could)
        skip_because("this machine allows no 4,100 threads");
    assert_string_equal(excess, "has more than 4096 threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_writes_only_to_its_folder_and_reaches_no_other_process, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_it_leaves_behind_is_removed, set_up, tear_down),
        cmocka_unit_test(too_many_threads_are_an_excess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
