#define _GNU_SOURCE /* syscall(), O_PATH */
#include "confine.h"

#include "bench/base/files.h"
#include "bench/base/host.h"

#include <assert.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux, Documentation/userspace-api/landlock.rst. The rights to write, in the order of their bits, and since which
 * version of its interface they exist; headers of older systems lack the last ones. */
enum {
    WRITE_FILE = 1 << 1,
    REMOVE_AND_MAKE = 0x1FF0, /* REMOVE_DIR to MAKE_SYM */
    REFER = 1 << 13,          /* 2 */
    TRUNCATE = 1 << 14,       /* 3 */
    SCOPE_SIGNAL = 1 << 1,    /* 6 */
    RULE_PATH_BENEATH = 1,
    CREATE_RULESET_VERSION = 1,
    TASKS_MAX = 4096,
    FIRST_HIGH_FD = 100,
};
struct ruleset {
    uint64_t files, network, scoped;
};
struct __attribute__((packed)) path_rule {
    uint64_t allowed;
    int32_t parent;
};

enum { MEMORY_TENTHS = 9 }; /* of what there is */
static_assert(MEMORY_TENTHS == 9 && TASKS_MAX == 4096, "what messages say");

static long version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
}

static uint64_t rights_of(long version)
{
    return WRITE_FILE | REMOVE_AND_MAKE | (version >= 2 ? (uint64_t)REFER : 0) |
           (version >= 3 ? (uint64_t)TRUNCATE : 0);
}

static void allow(int ruleset, const char *path, uint64_t rights)
{
    struct path_rule rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return;
    (void)syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent);
}

/* Of a GPU, and those that swallow. */
static void allow_devices(int ruleset, uint64_t rights)
{
    glob_t found;
    if (glob("/dev/{nvidia*,null,zero,tty,dri/*}", GLOB_BRACE, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            allow(ruleset, found.gl_pathv[i], rights);
    globfree(&found);
}

static int make_ruleset(const char *folder)
{
    long has = version();
    const struct ruleset rules = {.files = rights_of(has), .scoped = SCOPE_SIGNAL};
    size_t size = has < 4 ? sizeof rules.files : has < 6 ? 2 * sizeof rules.files : sizeof rules;
    int made = has < 1 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    int ruleset = made < 0 ? -1 : fcntl(made, F_DUPFD_CLOEXEC, FIRST_HIGH_FD); /* the child has others below */
    if (made >= 0)
        close(made);
    if (ruleset < 0)
        return -1;
    if (folder[0] != '\0')
        allow(ruleset, folder, rules.files);
    allow_devices(ruleset, WRITE_FILE | (rules.files & TRUNCATE));
    return ruleset;
}

static bool put(const char *folder, const char *name, long long number)
{
    char path[PATH_MAX + 32], text[32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC), length = snprintf(text, sizeof text, "%lld", number);
    bool ok = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0)
        close(fd);
    return ok;
}

static long long memory_limit(void)
{
    return (long long)sysconf(_SC_PHYS_PAGES) / 10 * MEMORY_TENTHS * sysconf(_SC_PAGESIZE);
}

/* Below this process's own, where that is delegated: cgroups(7), version 2. */
static void make_group(char group[PATH_MAX])
{
    char line[PATH_MAX - 64];
    host_read_line("/proc/self/cgroup", line, sizeof line);
    const bool is_known = strncmp(line, "0::", 3) == 0;
    snprintf(group, PATH_MAX, "/sys/fs/cgroup%s/rungbench-%ld", is_known ? line + 3 : "", (long)getpid());
    if (!is_known || mkdir(group, 0755) != 0) {
        group[0] = '\0';
        return;
    }
    if (!put(group, "memory.max", memory_limit()) || !put(group, "pids.max", TASKS_MAX)) {
        (void)rmdir(group);
        group[0] = '\0';
    }
}

void confinement_open(struct confinement *confinement, void (*message)(const char *line))
{
    static bool has_said;
    char line[NAME_MAX + 96];
    if (!temporary_folder_make("rungbench-kernel", confinement->folder))
        confinement->folder[0] = '\0';
    make_group(confinement->group);
    confinement->ruleset = make_ruleset(confinement->folder);
    if (confinement->ruleset < 0 && !has_said) {
        snprintf(line, sizeof line,
                 "%s: note: this system has no Landlock: a kernel of your own can write wherever you can",
                 error_program());
        message(line);
    }
    has_said = has_said || confinement->ruleset < 0;
}

bool confine(const struct confinement *confinement)
{
    if (confinement->folder[0] != '\0' && setenv("TMPDIR", confinement->folder, 1) != 0)
        return false;
    if (confinement->group[0] != '\0' && !put(confinement->group, "cgroup.procs", 0))
        return false;
    if (confinement->ruleset < 0)
        return true;
    /* CUDA names its threads there. An exec keeps the number of the process. */
    allow(confinement->ruleset, "/proc/self/task", WRITE_FILE | (rights_of(version()) & TRUNCATE));
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, confinement->ruleset, 0) == 0;
}

/* What proc(5) says of a process: kB of memory that no file stands for, and tasks. */
static void read_use(long process, long long *kilobytes, long *tasks)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%ld/status", process);
    FILE *file = fopen(path, "r");
    *kilobytes = *tasks = 0;
    while (file && fgets(line, sizeof line, file)) {
        (void)sscanf(line, "RssAnon: %lld", kilobytes);
        (void)sscanf(line, "Threads: %ld", tasks);
    }
    if (file)
        fclose(file);
}

const char *confinement_excess(const struct confinement *confinement, long process)
{
    long long kilobytes;
    long tasks;
    if (confinement->group[0] != '\0')
        return NULL;
    read_use(process, &kilobytes, &tasks);
    if (kilobytes * 1024 > memory_limit())
        return "takes more than nine tenths of the machine's memory";
    return tasks > TASKS_MAX ? "has more than 4096 threads" : NULL;
}

void confinement_close(struct confinement *confinement)
{
    if (confinement->folder[0] != '\0')
        folder_remove(confinement->folder);
    if (confinement->group[0] != '\0')
        (void)rmdir(confinement->group);
    if (confinement->ruleset > 0)
        close(confinement->ruleset);
    *confinement = (struct confinement){.ruleset = -1};
}
