#define _DEFAULT_SOURCE /* strsep() */
#include "compiler.h"

#include "bench/base/exit_status.h"
#include "bench/base/left_behind.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "bench/base/program_path.h"
#include "bench/base/regular_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT_S = 600, FILE_BYTES_MAX = 1 << 30, FILE_ARGUMENTS = 8 };

static bool find_program(const struct toolchain *toolchain, char path[PATH_MAX], struct error *error)
{
    char looked_for[256] = "";
    size_t length = 0;
    if (program_path_find(toolchain->compilers, path))
        return true;
    for (size_t i = 0; toolchain->compilers[i]; i++) {
        length += (size_t)snprintf(looked_for + length, sizeof looked_for - length, "%s%s", i > 0 ? ", " : "",
                                   toolchain->compilers[i]);
        length = length < sizeof looked_for ? length : sizeof looked_for - 1;
    }
    return error_set(error,
                     "no compiler for %s files, expected one of %s; names without a / are looked for on the PATH",
                     toolchain->suffix, looked_for);
}

/* The folder that the file's own includes are relative to. */
static bool find_own_folder(const char *file, char folder[PATH_MAX], struct error *error)
{
    if (!realpath(file, folder))
        return error_set(error, "cannot be read (%s)", strerror(errno));
    char *slash = strrchr(folder, '/');
    slash[slash == folder] = '\0';
    return true;
}

bool compiler_find(const struct toolchain *toolchain, const char *target, const char *file, struct compiler *compiler,
                   struct error *error)
{
    const char *const last[] = {"-I", compiler->own_folder, "-I", RUNGBENCH_SOURCE_DIR, target, NULL};
    size_t count = 0;
    compiler->suffix = toolchain->suffix;
    for (; toolchain->flags[count]; count++) {
        assert(count < COMPILER_ARGUMENTS_MAX - sizeof last / sizeof last[0]);
        compiler->arguments[count] = toolchain->flags[count];
    }
    memcpy(compiler->arguments + count, last, sizeof last);
    return find_own_folder(file, compiler->own_folder, error) && find_program(toolchain, compiler->path, error);
}

/* What tells the program from another, and what it reads of the environment. */
static void add_program(const char *path, struct digest *digest)
{
    static const char *const variables[] = {"CPATH",        "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH",
                                            "LIBRARY_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                                            "NVCC_CCBIN"};
    struct stat status = {0};
    int found = stat(path, &status);
    const int64_t facts[] = {found, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    digest_add_text(digest, path);
    digest_add(digest, facts, sizeof facts);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        digest_add_text(digest, value ? value : "");
    }
}

bool compiler_key(const struct compiler *compiler, const char *source, char key[DIGEST_HEX])
{
    struct digest digest;
    digest_start(&digest);
    add_program(compiler->path, &digest);
    for (size_t i = 0; compiler->arguments[i]; i++)
        digest_add_text(&digest, compiler->arguments[i]);
    digest_add_text(&digest, source);
    return digest_finish(&digest, key);
}

static int interrupted(const void *self)
{
    return ((const struct compiler_run *)self)->interrupted();
}

/* A call of write() for each line: there may be tens of thousands. */
static void print_text(char *text)
{
    for (char *line; text && *text && (line = strsep(&text, "\n"));) {
        plain_text_make(line);
        fprintf(stderr, "%.4095s\n", line);
    }
}

/* As far as the compiler says so. */
static bool had_no_room(const char *text)
{
    return strstr(text, strerror(ENOSPC)) || strstr(text, strerror(EDQUOT));
}

static bool run_program(const struct compiler_run *self, const char *const *argv, struct error *error)
{
    const struct process process = {
        .program = argv[0],
        .argv = (char *const *)argv,
        .interrupted = interrupted,
        .silence_s = process_no_silence,
        .limit_s = LIMIT_S,
        .now = self->now,
        .self = (void *)self,
    };
    struct process_end end;
    left_behind_adopt();
    if (!process_run(&process, &end, error))
        return false;
    bool ok = end.status == EXIT_SUCCESS && !self->interrupted();
    error->text[0] = '\0';
    if (!ok && !self->interrupted()) {
        bool lacked_room = end.text[PROCESS_ERR] && had_no_room(end.text[PROCESS_ERR]);
        print_text(end.text[PROCESS_OUT]);
        print_text(end.text[PROCESS_ERR]);
        error_set(error, "--kernel=%s: %s: %s %s", self->name,
                  lacked_room ? "was not compiled for lack of room in $TMPDIR, or /tmp" : "does not compile", argv[0],
                  end.how);
    }
    process_end_free(&end);
    if (!ok)
        (void)left_behind_kill(); /* what the compiler has started */
    return ok;
}

static bool make_folder(char folder[PATH_MAX], struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%.*s/rungbench-XXXXXX", PATH_MAX - 64,
             temporary && temporary[0] == '/' ? temporary : "/tmp");
    return mkdtemp(folder) || error_set(error, "%s: no folder to compile in (%s)", folder, strerror(errno));
}

/* There are no folders in it. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* . and .. are folders */
    if (folder)
        closedir(folder);
    (void)rmdir(path);
}

/* `written`: when, by the clock that files have. */
static bool write_file(const char *path, const char *text, struct timespec *written, struct error *error)
{
    struct stat status = {0};
    FILE *file = fopen(path, "w");
    bool ok = file && fputs(text, file) >= 0;
    ok = (!file || fclose(file) == 0) && ok && stat(path, &status) == 0;
    *written = status.st_mtim;
    return ok || error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
}

static bool compile_in(const char *folder, const struct compiler *compiler, const struct compiler_run *run,
                       const char *source, struct compiled *made, struct error *error)
{
    char file[PATH_MAX + 32], object[PATH_MAX + 32], list[PATH_MAX + 32];
    const char *const files[FILE_ARGUMENTS] = {"-MMD", "-MT", "object", "-MF", list, "-o", object, file};
    const char *argv[COMPILER_ARGUMENTS_MAX + FILE_ARGUMENTS + 2] = {compiler->path};
    size_t count = 1, list_size;
    snprintf(file, sizeof file, "%s/rungbench_source%s", folder, compiler->suffix);
    snprintf(object, sizeof object, "%s/object.so", folder);
    snprintf(list, sizeof list, "%s/object.d", folder);
    for (size_t i = 0; compiler->arguments[i]; i++)
        argv[count++] = compiler->arguments[i];
    memcpy(argv + count, files, sizeof files);
    if (!write_file(file, source, &made->start, error) || !run_program(run, argv, error))
        return false;
    made->object = regular_file_read(object, object, FILE_BYTES_MAX, &made->size, error);
    made->list = made->object ? regular_file_read(list, list, FILE_BYTES_MAX, &list_size, error) : NULL;
    return made->list != NULL;
}

bool compiler_run(const struct compiler *compiler, const struct compiler_run *run, const char *source,
                  struct compiled *made, struct error *error)
{
    char folder[PATH_MAX], line[2 * PATH_MAX];
    if (access(RUNGBENCH_SOURCE_DIR "/bench/table/rung.h", R_OK) != 0)
        return error_set(error,
                         "--kernel=%s: its headers are gone, expected the source tree that this program was built from "
                         "in %s",
                         run->name, RUNGBENCH_SOURCE_DIR);
    if (!make_folder(folder, error))
        return false;
    snprintf(line, sizeof line, "compiling %s with %s", run->name, strrchr(compiler->path, '/') + 1);
    run->says(line);
    bool ok = compile_in(folder, compiler, run, source, made, error);
    remove_folder(folder);
    return ok;
}
