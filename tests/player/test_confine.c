/* What a confined process, and what it starts, can do to the machine. */
#define _GNU_SOURCE
#include "bench/player/confine.h"
#include "tests/unit.h"

#include "tests/skip.h"

#include <pthread.h>
#include <sys/syscall.h>

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

static bool can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);
    return fd >= 0 && close(fd) == 0;
}

static bool makes_scratch(void)
{
    return mkdir(scratch("folder"), 0700) == 0 && write_to(scratch("folder/file"), O_CREAT);
}

static bool removes_scratch(void)
{
    return truncate(scratch("folder/file"), 0) == 0 && unlink(scratch("folder/file")) == 0 &&
           rmdir(scratch("folder")) == 0;
}

enum deed {
    APPENDS,
    TRUNCATES,
    CREATES,
    MAKES_A_FOLDER,
    MAKES_A_LINK,
    REMOVES,
    MOVES_A_FILE_OUT,
    OPENS_OUTPUT_OF_PARENT,
    SIGNALS_PARENT,
    USES_SCRATCH,
    READS,
    WRITES_TO_NULL,
    DEEDS,
    LEAVES_SCRATCH,
};

static bool does(enum deed deed)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/1", (long)parent);
    switch (deed) {
    case APPENDS: return write_to(ours, O_APPEND);
    case TRUNCATES: return truncate(ours, 0) == 0;
    case CREATES: return write_to(theirs, O_CREAT);
    case MAKES_A_FOLDER: return mkdir(theirs, 0700) == 0;
    case MAKES_A_LINK: return symlink("/", theirs) == 0;
    case REMOVES: return unlink(ours) == 0;
    case MOVES_A_FILE_OUT: return write_to(scratch("file"), O_CREAT) && rename(scratch("file"), theirs) == 0;
    case OPENS_OUTPUT_OF_PARENT: return can_open(path, O_WRONLY);
    case SIGNALS_PARENT: return kill(parent, SIGURG) == 0; /* which is ignored */
    case LEAVES_SCRATCH: return makes_scratch();
    case USES_SCRATCH: return makes_scratch() && removes_scratch();
    case READS: return can_open(ours, O_RDONLY);
    default: return write_to("/dev/null", O_TRUNC);
    }
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
    messages++;
}

static int set_up(void **state)
{
    char here[PATH_MAX];
    parent = getpid();
    assert_int_equal(setenv("TMPDIR", getcwd(here, sizeof here), 1), 0); /* no file is moved from one disk to another */
    messages = 0;
    confinement_open(&confinement, count);
    return 0;
}

static int tear_down(void **state)
{
    confinement_close(&confinement);
    return 0;
}

/* The version of Landlock that prevents it. 0: nothing does. */
static long since(enum deed deed)
{
    switch (deed) {
    case TRUNCATES: return 3;
    case SIGNALS_PARENT: return 6;
    default: return deed < USES_SCRATCH ? 1 : 0;
    }
}

/* Whether it can, in a child or in one that the child starts. */
static bool can(enum deed deed, bool is_confined, bool in_grandchild)
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
        _exit(does(deed) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

TEST(it_writes_only_to_its_folder_and_reaches_no_other_process)
{
    if (confinement.ruleset < 0)
        skip_because("this kernel has no Landlock");
    assert_int_equal(messages, 0);
    for (enum deed deed = 0; deed < DEEDS; deed++) {
        if (!can(deed, false, false))
            fail_msg("unconfined, deed %d is never done", (int)deed);
        for (int in_grandchild = 0; in_grandchild < 2 && version() >= since(deed); in_grandchild++)
            if (can(deed, true, in_grandchild) == (since(deed) > 0))
                fail_msg("confined, deed %d is %s", (int)deed, since(deed) > 0 ? "done" : "not done");
    }
}

/* But what a link there leads to is not. */
TEST(what_it_leaves_behind_is_removed)
{
    char folder[PATH_MAX], link[PATH_MAX + 8], here[PATH_MAX];
    strcpy(folder, confinement.folder);
    assert_int_equal(access(folder, W_OK), 0);
    assert_true(can(LEAVES_SCRATCH, true, false));
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

TEST(too_many_threads_are_an_excess)
{
    bool could;
    assert_null(excess_of(100, &could));
    const char *excess = excess_of(4100, &could);
    if (!could)
        skip_because("this machine allows no 4,100 threads");
    assert_string_equal(excess, "has more than 4096 threads");
}

AROUND_EACH_TEST(set_up, tear_down)
