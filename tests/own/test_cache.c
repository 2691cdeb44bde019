/* The cache of compiled kernels: an object is found as it was written, or not at all. */
#include "bench/own/cache.h"
#include "tests/unit.h"

#include <dirent.h>
#include <limits.h>
#include <sys/resource.h>

enum { NOBODY = 65534 };
static const char object[] = "an object with some bytes";
static char home[PATH_MAX - 512], folder[PATH_MAX - 256];

static const char *hex_key(int number)
{
    static char key[DIGEST_HEX];
    digest_of(&number, sizeof number, key);
    return key;
}

static struct compiled make(void)
{
    return (struct compiled){.object = (char *)object,
                             .size = sizeof object - 1,
                             .list = "object: source.c header.h",
                             .start = {.tv_sec = INT32_MAX}};
}

/* A new and empty home. */
static int set_up(void **state)
{
    assert_int_equal(system("rm -rf home && mkdir home"), 0);
    assert_non_null(getcwd(home, sizeof home - 8));
    strcat(home, "/home");
    snprintf(folder, sizeof folder, "%s/rungbench", home);
    setenv("XDG_CACHE_HOME", home, 1);
    file_put("header.h", "one");
    return 0;
}

static bool keep(int number, struct error *error)
{
    const struct compiled made = make();
    return cache_keep(hex_key(number), &made, error);
}

static void assert_kept(int number)
{
    struct error error;
    assert_true(keep(number, &error));
}

static void assert_not_kept(const char *reason)
{
    struct error error = {""};
    assert_false(keep(1, &error));
    if (!strstr(error.text, reason))
        fail_msg("'%s' lacks '%s'", error.text, reason);
}

/* What is found is whole. */
static bool is_found(int number)
{
    size_t size;
    char *found = cache_find(hex_key(number), &size);
    if (found && (size != sizeof object - 1 || memcmp(found, object, size) != 0))
        fail_msg("another object was found");
    free(found);
    return found != NULL;
}

static const char *path_of(int number)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.so", folder, hex_key(number));
    return path;
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

TEST(test_an_object_is_found_by_its_key_and_what_it_includes)
{
    struct error error;
    struct compiled early = make();
    early.start = (struct timespec){.tv_sec = 1};
    assert_false(cache_keep(hex_key(1), &early, &error)); /* the header has changed since */
    assert_non_null(strstr(error.text, "changed"));
    assert_false(is_found(1));
    assert_kept(1);
    assert_true(is_found(1));
    assert_false(is_found(2));
    file_put("header.h", "two");
    assert_false(is_found(1));
    file_put("header.h", "one");
    assert_true(is_found(1));
    unlink("header.h");
    assert_false(is_found(1));
}

static void overwrite(const char *path, off_t at, const char *text)
{
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, text, strlen(text), at), strlen(text));
    close(fd);
}

static void damage(int how, const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    switch (how) {
    case 0: assert_int_equal(truncate(path, 0), 0); break;
    case 1: assert_int_equal(truncate(path, status.st_size / 2), 0); break;
    case 2: assert_int_equal(truncate(path, status.st_size - 1), 0); break;
    case 3: overwrite(path, 0, "A"); break;
    case 4: overwrite(path, status.st_size, "more"); break;
    case 5: overwrite(path, status.st_size - DIGEST_HEX - 4, "h"); break;
    case 6: assert_int_equal(unlink(path), 0); break;
    case 7: assert_int_equal(chmod(path, 0666), 0); break;
    case 8: assert_int_equal(rename(path, "elsewhere") || symlink("../../elsewhere", path), 0); break;
    default: assert_int_equal(rename(path_of(2), path), 0); /* which has another key */
    }
}

TEST(test_what_is_damaged_is_not_found_and_is_replaced)
{
    for (int how = 0; how < 10; how++) {
        char path[PATH_MAX];
        assert_kept(1);
        assert_kept(2);
        snprintf(path, sizeof path, "%s", path_of(1));
        damage(how, path);
        assert_false(is_found(1));
        assert_kept(1);
        assert_true(is_found(1));
    }
}

TEST(test_a_folder_that_others_may_write_is_not_used)
{
    struct stat status;
    assert_kept(1);
    assert_true(stat(folder, &status) == 0 && (status.st_mode & 0777) == 0700);
    for (int bit = 0020; bit > 0; bit = bit == 0020 ? 0002 : 0) {
        assert_int_equal(chmod(folder, (mode_t)(0700 | bit)), 0);
        assert_false(is_found(1));
        assert_not_kept("nobody else to write there");
    }
    assert_int_equal(chmod(folder, 0755), 0);
    assert_true(is_found(1));
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
    assert_false(is_found(1));
    assert_not_kept("is user 65534's");
    assert_int_equal(rename(folder, "home/theirs") || symlink("theirs", folder), 0);
    assert_not_kept("is user 65534's");
}

TEST(test_where_there_is_no_folder_the_reason_is_said)
{
    file_put(folder, "");
    assert_false(is_found(1));
    assert_not_kept("rungbench: cannot be used");
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_not_kept("rungbench/rungbench: cannot be used");
    setenv("XDG_CACHE_HOME", "relative", 1);
    unsetenv("HOME");
    assert_not_kept("neither XDG_CACHE_HOME nor HOME");
}

TEST(test_without_room_nothing_is_left_half_written)
{
    struct rlimit all;
    assert_kept(1);
    getrlimit(RLIMIT_FSIZE, &all);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){sizeof object + 40, all.rlim_max});
    assert_not_kept("cannot be written (File too large)");
    setrlimit(RLIMIT_FSIZE, &all);
    assert_int_equal(count_files(), 1);
    assert_true(is_found(1));
}

static void make_old(const char *path, int seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(test_the_newest_stay_and_files_of_others_too)
{
    assert_kept(0);
    make_old(path_of(0), 1);
    for (int i = 0; i < CACHE_OBJECTS_MAX; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/theirs-%d.so", folder, i);
        file_put(path, "");
        make_old(path, 1);
        file_put(path_of(1000 + i), "");
        make_old(path_of(1000 + i), 2);
    }
    assert_true(is_found(0));
    assert_kept(1);
    assert_int_equal(count_files(), 2 * CACHE_OBJECTS_MAX);
    assert_true(is_found(0));
    assert_true(is_found(1));
}

/* Each keeps and finds; whoever fails exits with another status. */
TEST(test_processes_share_a_cache)
{
    enum { PROCESSES = 4, TURNS = 50 };
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            struct error error;
            bool ok = true;
            for (int turn = 0; turn < TURNS; turn++)
                ok = keep(turn % 2, &error) && is_found(turn % 2) && ok;
            _exit(!ok);
        }
    for (int i = 0, status; i < PROCESSES; i++)
        assert_true(wait(&status) > 0 && status == 0);
    assert_int_equal(count_files(), 2);
}

AROUND_EACH_TEST(set_up, NULL)
