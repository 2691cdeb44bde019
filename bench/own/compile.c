#include "compile.h"

#include "cache.h"
#include "loading.h"
#include "spelling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char stream_of_call[] = "rungbench_stream"; /* kernels/solution_begin.h declares it */

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
    write_path(to, self->run.name);
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

/* From the cache, or by the compiler. */
static bool find_object(const struct compilation *self, const struct compiler *compiler, const char *source,
                        struct compiled *found, struct error *note, struct error *error)
{
    char key[DIGEST_HEX];
    struct cache cache;
    struct error reason;
    if (!compiler_key(compiler, source, key))
        return error_set(error, "--kernel=%s: no memory", self->run.name);
    cache_open(&cache);
    found->object = cache_find(&cache, key, &found->size);
    bool ok = found->object || compiler_run(compiler, &self->run, source, found, error);
    if (found->list && !cache_keep(&cache, key, found, &reason))
        error_set(note, "--kernel=%s: compiled for this run only: %s", self->run.name, reason.text);
    cache_close(&cache);
    return ok;
}

bool compile(const struct compilation *self, char path[PATH_MAX], struct error *note, struct error *error)
{
    struct compiler compiler;
    struct compiled found = {0};
    struct error reason;
    if (!compiler_find(self->toolchain, self->target, self->run.name, &compiler, &reason))
        return error_set(error, "--kernel=%s: %s", self->run.name, reason.text);
    char *source = make_source(self);
    if (!source)
        return error_set(error, "--kernel=%s: no memory", self->run.name);
    bool ok = find_object(self, &compiler, source, &found, note, error);
    if (ok && !loading_hold(found.object, found.size, path))
        ok = error_set(error, "--kernel=%s: cannot be held in memory (%s)", self->run.name, strerror(errno));
    free(found.object);
    free(found.list);
    free(source);
    return ok;
}
