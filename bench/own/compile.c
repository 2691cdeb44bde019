#include "compile.h"

#include "bench/base/files.h"
#include "bench/base/home.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "bench/base/progress.h"
#include "bench/table/backend.h"
#include "assembly.h"
#include "cache.h"
#include "complaint.h"
#include "made_source.h"

#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

enum { LIMIT_S = 600, FILE_BYTES_MAX = 1 << 30, ARGUMENTS_MAX = 128, FILE_ARGUMENTS = 10 };

struct compilation {
    const struct own_kernel *kernel;
    const struct toolchain *toolchain;
    char compiler[PATH_MAX], own_folder[PATH_MAX]; /* the file's own includes are relative to that */
    const char *argv[ARGUMENTS_MAX + FILE_ARGUMENTS + 1];
    size_t count;    /* of arguments before those that name files */
    wordexp_t users; /* the words of the user's flags */
    char *source;    /* what is compiled */
    struct compiled made;
};

static const char *suffix_of(const struct compilation *self)
{
    return strrchr(self->kernel->path, '.');
}

/* The first compiler of the toolchain that is there. */
static bool find_program(struct compilation *self, struct error *error)
{
    char looked_for[256] = "";
    const bool is_cpp = strcmp(suffix_of(self), ".cpp") == 0 && self->toolchain->cpp_compilers;
    const char *const *compilers = is_cpp ? self->toolchain->cpp_compilers : self->toolchain->compilers;
    for (const char *const *name = compilers; *name; name++)
        text_append(looked_for, sizeof looked_for, "%s%s", name > compilers ? ", " : "", *name);
    return program_path_find(compilers, self->compiler) ||
           error_set(error,
                     "%s: no compiler for %s files, expected one of %s; names without a / are looked for on the PATH",
                     self->kernel->label, suffix_of(self), looked_for);
}

bool compile_has_compiler(const struct own_kernel *kernel)
{
    char found[PATH_MAX];
    return program_path_find(kernel->backend->backend->toolchain->compilers, found);
}

static void add_argument(struct compilation *self, const char *argument)
{
    assert(self->count < ARGUMENTS_MAX);
    self->argv[self->count++] = argument;
}

/* Whether the user has said the same of something, as in -std=c++20. */
static bool is_said(const struct compilation *self, const char *flag)
{
    const size_t length = strcspn(flag, "=");
    bool is_said = false;
    for (size_t i = 0; i < self->users.we_wordc && flag[length] == '=' && strncmp(flag, "-X", 2) != 0; i++)
        is_said = is_said || strncmp(self->users.we_wordv[i], flag, length) == 0;
    return is_said;
}

/* A simulator is another compiler, and takes what has the same meaning for all. */
static void add_users(struct compilation *self)
{
    const struct own_request *request = self->kernel->request;
    bool is_taken = false;
    for (size_t i = 0; i < self->users.we_wordc; i++) {
        const char *word = self->users.we_wordv[i];
        const bool is_value = is_taken && word[0] != '-'; /* -D NAME */
        is_taken =
            is_value || !self->toolchain->spells_launches || strncmp(word, "-D", 2) == 0 || strncmp(word, "-U", 2) == 0;
        if (is_taken)
            add_argument(self, word);
    }
    for (size_t i = 0; request && i < request->include.count; i++) {
        add_argument(self, "-I");
        add_argument(self, request->include.items[i]);
    }
}

/* As a shell reads them: -DNAME='a b'. */
static bool read_flags(struct compilation *self, struct error *error)
{
    const char *said = self->kernel->request ? self->kernel->request->compiler_flags : NULL;
    if (!said || !self->toolchain->before_solution)
        return true;
    if (wordexp(said, &self->users, WRDE_NOCMD | WRDE_UNDEF) != 0)
        return error_set(error, "--nvcc-flags=%s: expected words with a shell's quotes, around ( ) ; < > & | too",
                         said);
    return self->users.we_wordc < ARGUMENTS_MAX / 2 ||
           error_set(error, "--nvcc-flags has %zu words, expected fewer than %d", self->users.we_wordc,
                     ARGUMENTS_MAX / 2);
}

static void add_arguments(struct compilation *self)
{
    static char names[PATH_MAX + 32]; /* that files have in messages: those that the user gave them */
    char folder[PATH_MAX];
    static char torch[PATH_MAX], at_home[PATH_MAX];
    const char *const last[] = {"-I", self->own_folder, "-I", home_folder(), "-I", home_generated(), "-I", torch};
    snprintf(torch, sizeof torch, "%s/kernels/torch", home_folder());
    add_argument(self, self->compiler);
    for (const char *const *flag = self->toolchain->flags; *flag; flag++)
        if (strncmp(*flag, TOOLCHAIN_HOME, strlen(TOOLCHAIN_HOME)) == 0) {
            snprintf(at_home, sizeof at_home, "%s/%s", home_folder(), *flag + strlen(TOOLCHAIN_HOME));
            add_argument(self, at_home);
        } else if (!is_said(self, *flag)) {
            add_argument(self, *flag);
        }
    if (self->toolchain->spells_launches && getcwd(folder, sizeof folder)) {
        snprintf(names, sizeof names, "-fdebug-prefix-map=%s=", folder);
        add_argument(self, names);
    }
    add_users(self);
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        add_argument(self, last[i]);
    if (self->kernel->target[0] != '\0' && !is_said(self, "-arch=") && !is_said(self, "-gencode="))
        add_argument(self, self->kernel->target);
}

/* Which file it is, and as of when. */
static void add_fact(struct digest *digest, const char *path)
{
    struct stat status = {0};
    const int found = stat(path, &status);
    const int64_t facts[] = {found, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    digest_add(digest, facts, sizeof facts);
}

/* The digest of all that the object depends on, but for the files that the source includes: with what tells the program
 * from another, and what it reads of the environment. A header that the build has compiled is not among those files. */
static void make_key(const struct compilation *self, char key[DIGEST_HEX])
{
    static const char *const variables[] = {"CPATH",        "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH",
                                            "LIBRARY_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                                            "NVCC_CCBIN"};
    struct digest digest;
    char compiled_header[PATH_MAX + 64];
    snprintf(compiled_header, sizeof compiled_header, "%s/twins.h.gch", home_generated());
    digest_start(&digest);
    add_fact(&digest, self->compiler);
    add_fact(&digest, compiled_header);
    for (size_t i = 0; i < self->count; i++)
        digest_add_text(&digest, self->argv[i]);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        digest_add_text(&digest, value ? value : "");
    }
    digest_add_text(&digest, self->source);
    digest_finish(&digest, key);
}

/* Of a header that is not there, by what make_absent() has the compiler say. */
static void note_absent(const struct compilation *self, const char *said)
{
    struct part found[2];
    char line[PATH_MAX + NAME_MAX];
    if (!said || !pattern_find("rungbench takes for empty: ([^;\n]*)", part_of(said), found, 2))
        return;
    snprintf(line, sizeof line, "%s: \"%.*s\" is not there: an empty file was taken for it", self->kernel->label,
             (int)found[1].length, found[1].at);
    progress_note(line);
}

/* As complaint_read() reads it. */
static bool speak_english(void *self)
{
    (void)self;
    return setenv("LC_ALL", "C", 1) == 0;
}

static bool run_program(struct compilation *self, const char *const *argv, struct error *error)
{
    const struct process process = {
        .program = self->compiler,
        .argv = (char *const *)argv,
        .interrupted = interrupt_ends_run,
        .prepare = speak_english,
        .limit_s = LIMIT_S,
        .now = host_now,
    };
    struct process_end end;
    left_behind_adopt();
    if (!process_run(&process, &end, error))
        return false;
    bool ok = end.status == EXIT_SUCCESS && !interrupt_ends_run();
    error->text[0] = '\0';
    note_absent(self, end.text[PROCESS_ERR]);
    if (!ok && !interrupt_ends_run()) {
        const char *said = end.text[PROCESS_ERR] ? end.text[PROCESS_ERR] : "";
        const bool lacked_room = strstr(said, strerror(ENOSPC)) || strstr(said, strerror(EDQUOT));
        error_set(error, "%s: %s: %s %s", self->kernel->label,
                  lacked_room ? "was not compiled for lack of room in $TMPDIR, or /tmp" : "does not compile",
                  self->compiler, end.how);
        if (!self->toolchain->names ||
            !complaint_read(said, self->toolchain->names, self->kernel->path, self->own_folder, error)) {
            plain_text_tell(end.text[PROCESS_OUT], end.bytes[PROCESS_OUT], SIZE_MAX);
            plain_text_tell(said, strlen(said), SIZE_MAX);
        }
    }
    process_end_free(&end);
    if (!ok)
        (void)left_behind_kill(NULL, 0); /* what the compiler has started */
    return ok;
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

/* Headers that the source includes with quotes and that are nowhere: judges of other places have them, to declare
 * solve(). Empty ones, which are looked for last, take their place. */
static void make_absent(const struct compilation *self, const char *folder)
{
    struct part name;
    for (const char *at = self->kernel->source; (at = include_next(at, &name)); at++) {
        char path[2 * PATH_MAX];
        if (memchr(name.at, '/', name.length) || name.length > NAME_MAX)
            continue;
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)name.length, name.at);
        FILE *file = fopen(path, "w");
        if (file) {
            fprintf(file, "#pragma once\n#pragma message(\"rungbench takes for empty: %.*s;\")\n", (int)name.length,
                    name.at);
            (void)fclose(file);
        }
    }
}

/* Assembles what the compiler wrote, with gaps between its variables. */
static bool assemble(const char *folder, const char *written, const char *object, struct compilation *self,
                     struct error *error)
{
    char padded[PATH_MAX + 32];
    const char *const argv[] = {self->compiler,
                                "-shared",
                                "-Wl,-Bsymbolic,--wrap=malloc,--wrap=_Znwm,--wrap=_Znam,--wrap=printf,--wrap=vprintf,--"
                                "wrap=puts,--wrap=putchar",
                                "-o",
                                object,
                                padded,
                                NULL};
    size_t size;
    struct timespec when;
    char *text = regular_file_read(written, written, FILE_BYTES_MAX, &size, error), *changed;
    if (!text)
        return false;
    FILE *to = memory_stream(&changed, &size);
    assembly_pad(text, self->toolchain->dynamic_bytes, to);
    memory_stream_end(to);
    snprintf(padded, sizeof padded, "%s/padded.s", folder);
    const bool ok = write_file(padded, changed, &when, error) && run_program(self, argv, error);
    free(changed);
    free(text);
    return ok;
}

static bool compile_in(const char *folder, struct compilation *self, struct error *error)
{
    char file[PATH_MAX + 32], object[PATH_MAX + 32], list[PATH_MAX + 32], absent[PATH_MAX + 64], after[PATH_MAX + 96],
        written[PATH_MAX + 32];
    const bool is_padded = self->toolchain->dynamic_bytes > 0;
    const char *const files[FILE_ARGUMENTS + 1] = {
        after, "-MMD", "-MT", "object", "-MF", list, "-o", is_padded ? written : object, file, is_padded ? "-S" : NULL,
        NULL};
    struct compiled *made = &self->made;
    size_t list_size;
    snprintf(file, sizeof file, "%s/rungbench_source%s", folder, suffix_of(self));
    snprintf(object, sizeof object, "%s/object.so", folder);
    snprintf(written, sizeof written, "%s/object.s", folder);
    snprintf(list, sizeof list, "%s/object.d", folder);
    snprintf(absent, sizeof absent, "%s/absent", folder);
    snprintf(after, sizeof after, "%s-idirafter%s%s", self->toolchain->target ? "-Xcompiler=" : "",
             self->toolchain->target ? "," : "", absent);
    if (mkdir(absent, 0700) == 0)
        make_absent(self, absent);
    memcpy(self->argv + self->count, files, sizeof files);
    if (!write_file(file, self->source, &made->start, error) || !run_program(self, self->argv, error) ||
        (is_padded && !assemble(folder, written, object, self, error)))
        return false;
    made->object = regular_file_read(object, object, FILE_BYTES_MAX, &made->size, error);
    made->list = made->object ? regular_file_read(list, list, FILE_BYTES_MAX, &list_size, error) : NULL;
    return made->list != NULL;
}

static bool run_compiler(struct compilation *self, struct error *error)
{
    char folder[PATH_MAX], line[2 * PATH_MAX];
    snprintf(line, sizeof line, "%s/bench/table/rung.h", home_folder());
    if (access(line, R_OK) != 0)
        return error_set(error, "%s: its headers are gone, expected the folder %s as it was built or installed",
                         self->kernel->label, home_folder());
    if (!temporary_folder_make("rungbench", folder))
        return error_set(error, "%s: no folder to compile in (%s)", folder, strerror(errno));
    snprintf(line, sizeof line, "compiling %s with %s", self->kernel->path, strrchr(self->compiler, '/') + 1);
    progress_step(0, line, host_now());
    bool ok = compile_in(folder, self, error);
    folder_remove(folder);
    return ok;
}

/* From the cache, or by the compiler. */
static bool find_object(struct compilation *self, struct error *error)
{
    static bool has_noted; /* of several kernels one: they have the same reason */
    char key[DIGEST_HEX];
    struct error reason, note;
    self->source = made_source(self->kernel);
    make_key(self, key);
    self->made.object = cache_find(key, &self->made.size);
    bool ok = self->made.object || run_compiler(self, error);
    if (self->made.list && !cache_keep(key, &self->made, &reason) && !has_noted) {
        error_set(&note, "%s: compiled for this run only: %s", self->kernel->label, reason.text);
        progress_note(note.text);
        has_noted = true;
    }
    return ok;
}

bool compile(struct own_kernel *kernel, struct error *error)
{
    struct compilation self = {.kernel = kernel, .toolchain = kernel->backend->backend->toolchain};
    if (kernel->form.kind == FORM_CALL)
        snprintf(kernel->function, sizeof kernel->function, "%s_%zu", made_function, kernel->form.call.which);
    else if (kernel->form.kind == FORM_RUNG)
        snprintf(kernel->function, sizeof kernel->function, "%s", made_function);
    if (kernel->form.call.which > 0) { /* it is in the first one's object */
        memcpy(kernel->object, kernel->siblings->object, sizeof kernel->object);
        return true;
    }
    if (!realpath(kernel->path, self.own_folder))
        return error_set(error, "%s: cannot be read (%s)", kernel->label, strerror(errno));
    (void)dirname(self.own_folder);
    bool ok = find_program(&self, error) && read_flags(&self, error);
    if (ok)
        add_arguments(&self);
    ok = ok && find_object(&self, error);
    if (ok && !compiled_hold(self.made.object, self.made.size, kernel->object))
        ok = error_set(error, "%s: cannot be held in memory (%s)", kernel->label, strerror(errno));
    ok = ok && (!self.toolchain->spells_launches || compiled_check(kernel, error));
    free(self.made.object);
    free(self.made.list);
    free(self.source);
    wordfree(&self.users);
    return ok;
}
