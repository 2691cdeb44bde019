#include "compile.h"

#include "bench/base/exit_status.h"
#include "bench/base/left_behind.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "compiler.h"
#include "content_key.h"
#include "spelling.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64, LIMIT_S = 600 };
static const char stream_of_call[] = "rungbench_stream"; /* kernels/solution_begin.h declares it */

/* The folder that the file's own includes are relative to. */
static bool find_own_folder(const char *path, char folder[PATH_MAX], struct error *error)
{
    char *followed = realpath(path, NULL);
    if (!followed)
        return error_set(error, "--kernel=%s: cannot be read (%s)", path, strerror(errno));
    *strrchr(followed, '/') = '\0';
    snprintf(folder, PATH_MAX, "%s", followed[0] ? followed : "/");
    free(followed);
    return true;
}

/* As the name of a file in #line. The assembler of nvcc takes no quotes in it. */
static void write_path(FILE *to, const char *path)
{
    for (; *path; path++)
        fputc(*path == '"' || *path == '\\' ? '_' : *path, to);
}

static void include(FILE *to, const char *header)
{
    if (header)
        fprintf(to, "#include \"%s\"\n", header);
}

/* What is compiled: the user's text under its own name and with its own lines, and a function that calls its kernel. */
static void write_source(const struct compilation *self, const char *text, FILE *to)
{
    const struct form *form = self->form;
    bool is_solution = form->kind == FORM_SOLUTION;
    if (is_solution)
        include(to, self->toolchain->before_solution);
    fputs("#line 1 \"", to);
    write_path(to, self->path);
    fprintf(to, "\"\n%s\n", text);
    if (is_solution) {
        fprintf(to, "#include \"bench/table/%s.h\"\n#define PROBLEM struct %s_problem\n", form->op->name,
                form->op->name);
        fprintf(to, "#define CALL_SOLUTION SOLUTION_OF_%s\n", form->op->name);
        include(to, self->toolchain->after_solution);
    } else {
        fprintf(to,
                "#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                "const char *%s(const void *problem, void *stream);\n"
                "const char *%s(const void *problem, void *stream)\n{\n    return %s(problem, stream);\n}\n",
                COMPILED_FUNCTION, COMPILED_FUNCTION, form->function);
    }
}

/* The source to compile as text; free() it. NULL: no memory. */
static char *make_source(const struct compilation *self)
{
    const struct toolchain *toolchain = self->toolchain;
    bool is_solution = self->form->kind == FORM_SOLUTION;
    bool respells = toolchain->spells_launches || (toolchain->adds_streams && is_solution);
    char *respelt =
        respells ? spelling_change(self->source, is_solution ? stream_of_call : "0", toolchain->spells_launches) : NULL;
    char *made = NULL;
    size_t size;
    FILE *to = respells && !respelt ? NULL : open_memstream(&made, &size);
    if (to) {
        write_source(self, respells ? respelt : self->source, to);
        if (fclose(to) != 0) {
            free(made);
            made = NULL;
        }
    }
    free(respelt);
    return made;
}

static bool write_file(const char *path, const char *text, struct error *error)
{
    FILE *file = fopen(path, "w");
    bool ok = file && fputs(text, file) >= 0;
    ok = (!file || fclose(file) == 0) && ok;
    return ok || error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
}

static int interrupted(const void *self)
{
    return ((const struct compilation *)self)->interrupted();
}

static double no_silence_limit(const void *self)
{
    (void)self;
    return INFINITY;
}

static void print_text(const char *text)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        char line[4096];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        plain_text_put(stderr, line);
        fputc('\n', stderr);
    }
}

static bool run_compiler(const struct compilation *self, const char *compiler, char *const *argv, struct error *error)
{
    const struct process process = {
        .program = compiler,
        .argv = argv,
        .interrupted = interrupted,
        .silence_s = no_silence_limit,
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
        print_text(end.text[PROCESS_OUT] ? end.text[PROCESS_OUT] : "");
        print_text(end.text[PROCESS_ERR] ? end.text[PROCESS_ERR] : "");
        error_set(error, "--kernel=%s: does not compile: %s %s", self->path, compiler, end.how);
    }
    process_end_free(&end);
    if (!ok)
        (void)left_behind_kill(); /* what the compiler has started */
    return ok;
}

/* In the scratch folder: source to object. */
static bool compile_in(const struct compilation *self, const char *compiler, const char *own_folder, const char *source,
                       const struct cache_folder *scratch, struct error *error)
{
    char file[PATH_MAX + 64], object[PATH_MAX + 64], list[PATH_MAX + 64], *argv[ARGUMENTS_MAX + 1];
    size_t count = 0;
    snprintf(file, sizeof file, "%s/%s%s", scratch->path, CACHE_SOURCE, self->toolchain->suffix);
    snprintf(object, sizeof object, "%s/object.so", scratch->path);
    snprintf(list, sizeof list, "%s/object.d", scratch->path);
    if (!write_file(file, source, error))
        return false;
    argv[count++] = (char *)compiler;
    for (size_t i = 0; self->toolchain->flags[i] && count < ARGUMENTS_MAX - 12; i++)
        argv[count++] = (char *)self->toolchain->flags[i];
    if (self->target)
        argv[count++] = (char *)self->target;
    const char *const rest[] = {"-I", own_folder, "-I", RUNGBENCH_SOURCE_DIR, "-MMD", "-MT", "object", "-MF", list,
                                "-o", object,     file};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        argv[count++] = (char *)rest[i];
    argv[count] = NULL;
    return run_compiler(self, compiler, argv, error);
}

static uint64_t key_of(const struct compilation *self, const char *own_folder, const char *source,
                       uint64_t compiler_key)
{
    uint64_t key = content_key_add(content_key_add_text(0, RUNGBENCH_SOURCE_DIR), &compiler_key, sizeof compiler_key);
    for (size_t i = 0; self->toolchain->flags[i]; i++)
        key = content_key_add_text(key, self->toolchain->flags[i]);
    key = content_key_add_text(key, self->target ? self->target : "");
    return content_key_add_text(content_key_add_text(key, own_folder), source);
}

static bool compile_anew(const struct compilation *self, const char *compiler, const char *own_folder,
                         const char *source, uint64_t key, char object[PATH_MAX], struct cache_folder *scratch,
                         struct error *error)
{
    char line[2 * PATH_MAX];
    if (access(RUNGBENCH_SOURCE_DIR "/bench/table/rung.h", R_OK) != 0)
        return error_set(error,
                         "--kernel=%s: its headers are gone, expected the source tree that this program was built from "
                         "in %s",
                         self->path, RUNGBENCH_SOURCE_DIR);
    if (!cache_begin(scratch, error))
        return false;
    snprintf(line, sizeof line, "compiling %s with %s", self->path, strrchr(compiler, '/') + 1);
    self->says(line);
    bool ok = compile_in(self, compiler, own_folder, source, scratch, error) && cache_end(scratch, key, object, error);
    if (!ok || scratch->is_kept) {
        cache_forget(scratch);
        scratch->path[0] = '\0';
    }
    return ok;
}

bool compile(const struct compilation *self, char object[PATH_MAX], struct cache_folder *scratch, struct error *error)
{
    char compiler[PATH_MAX], own_folder[PATH_MAX];
    struct error reason;
    uint64_t key;
    scratch->path[0] = '\0';
    if (!find_own_folder(self->path, own_folder, error))
        return false;
    if (!compiler_find(self->toolchain, compiler, &key, &reason))
        return error_set(error, "--kernel=%s: %s", self->path, reason.text);
    char *source = make_source(self);
    if (!source)
        return error_set(error, "--kernel=%s: no memory", self->path);
    key = key_of(self, own_folder, source, key);
    bool ok = cache_find(key, object) || compile_anew(self, compiler, own_folder, source, key, object, scratch, error);
    free(source);
    return ok;
}
