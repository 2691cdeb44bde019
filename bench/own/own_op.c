#include "own_op.h"

#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/process.h"
#include "bench/table/backend.h"
#include "sound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKLOADS_MAX = 64, CHECK_LIMIT_S = 60 };

static const char op_flag[] = "--op=", object_flag[] = "--op-object=";

static struct {
    struct own_kernel file; /* as kernels are compiled */
    struct op op;
    struct workload workloads[WORKLOADS_MAX];
    const struct op **ops; /* of the registry with it */
    char flag[PATH_MAX + 32];
    char *report;
    struct stat read; /* the file, before it was read */
} own;

bool own_op_is_file(const char *value)
{
    return own_kernel_is(value, ".c");
}

const struct op *own_op(void)
{
    return own.ops ? &own.op : NULL;
}

const char *own_op_path(struct stat *read)
{
    *read = own.read;
    return own.file.path;
}

char *own_op_flag(void)
{
    return own.flag[0] ? own.flag : NULL;
}

/* The value of the last one, as flags are read: behind the =, or the next argument. */
static const char *find_argument(char *const argv[], const char *flag)
{
    const size_t length = strlen(flag);
    const char *found = NULL;
    for (char *const *argument = argv + 1; *argument; argument++)
        if (strncmp(*argument, flag, length) == 0)
            found = *argument + length;
        else if (strncmp(*argument, flag, length - 1) == 0 && (*argument)[length - 1] == '\0' && argument[1])
            found = argument[1];
    return found;
}

/* What the description leaves out: its workloads belong to all suites, as it was asked for, and there are ragged sizes.
 */
static bool complete(struct error *error)
{
    struct error reason;
    if (own.op.workload_count > WORKLOADS_MAX)
        return error_set(error, "%s: saw %zu workloads, expected %d at most", own.file.label, own.op.workload_count,
                         WORKLOADS_MAX);
    for (size_t i = 0; i < own.op.workload_count; i++) {
        own.workloads[i] = own.op.workloads[i];
        own.workloads[i].suites = own.workloads[i].suites ? own.workloads[i].suites : ~0U;
    }
    own.op.workloads = own.workloads;
    if (!op_is_users(&own.op, &reason) || !op_is_sound(&own.op, &reason))
        return error_set(error, "%s: %s", own.file.label, reason.text);
    if (own.op.ragged_count == 0)
        own.op.ragged_count = op_ragged_by_names(&own.op, &own.op.ragged);
    return own.op.ragged_count > 0 ||
           error_set(error, "%s: no small sizes fit its arguments, expected some in .ragged", own.file.label);
}

static bool load(const struct registry *registry, struct registry *extended, struct error *error)
{
    void *found;
    const char *reason = compiled_find(&own.file, &found);
    if (reason)
        return error_set(error, "%s: %s, expected const struct op %s", own.file.label, reason, own.file.function);
    own.op = *(const struct op *)found;
    if (!complete(error))
        return false;
    if (registry_find_op(registry, own.op.name)) /* kernels are named after it */
        return error_set(error, "%s: .name is \"%s\", as an operation of rungbench is called, expected another",
                         own.file.label, own.op.name);
    own.ops = memory_get(registry->op_count + 1, sizeof *own.ops);
    memcpy(own.ops, registry->ops, registry->op_count * sizeof *own.ops);
    own.ops[registry->op_count] = &own.op;
    extended->ops = own.ops;
    extended->op_count++;
    return true;
}

/* By a process that has no other work. */
static bool check(char *program, struct error *error)
{
    char named[PATH_MAX + 16], asked[] = "--check";
    snprintf(named, sizeof named, "%s%s", op_flag, own.file.path);
    const struct process process = {
        .program = "/proc/self/exe",
        .argv = (char *const[]){program, named, own.flag, asked, NULL},
        .interrupted = interrupt_ends_run,
        .limit_s = CHECK_LIMIT_S,
        .now = host_now,
    };
    struct process_end end;
    char line[sizeof error->text];
    if (!process_run(&process, &end, error))
        return false;
    process_last_line(end.text[PROCESS_ERR], line, sizeof line);
    own.report = end.text[PROCESS_OUT];
    end.text[PROCESS_OUT] = NULL;
    process_end_free(&end);
    error->text[0] = '\0';
    if (end.status == EXIT_RIGHT || interrupt_ends_run())
        return end.status == EXIT_RIGHT;
    if (end.status == EXIT_USAGE && error_said(line))
        return error_set(error, "%s", error_said(line));
    return error_set(error, "%s: computing small answers %s", own.file.label,
                     end.overran ? "did not end within a minute" : end.how);
}

static bool compile_file(const struct registry *registry, struct error *error)
{
    own.file.backend = own_kernel_compiling(registry, own.file.path, NULL);
    if (!own.file.backend)
        return error_set(error, "%s: this build has no compiler for C", own.file.label);
    if (!own_kernel_read_text(&own.file, error) || !compile(&own.file, error))
        return false;
    snprintf(own.flag, sizeof own.flag, "%s%s", object_flag, own.file.object);
    return true;
}

void own_op_forget(void)
{
    const char *number = strrchr(own.file.object, '/');
    if (own.flag[0] != '\0' && number)
        close(atoi(number + 1));
    free(own.file.source);
    free(own.report);
    free(own.ops);
    memset(&own, 0, sizeof own);
}

bool own_op_read(char *const argv[], const struct registry *registry, struct registry *extended, struct error *error)
{
    const char *path = find_argument(argv, op_flag), *object = find_argument(argv, object_flag);
    *extended = *registry;
    if (!path || !own_op_is_file(path))
        return true;
    own_op_forget();
    (void)stat(path, &own.read);
    own.file = (struct own_kernel){.path = path, .form.kind = FORM_OPERATION, .function = "rungbench_op"};
    snprintf(own.file.label, sizeof own.file.label, "%s%s", op_flag, path);
    if (object)
        snprintf(own.file.object, sizeof own.file.object, "%s", object);
    else if (!compile_file(registry, error) || !check(argv[0], error))
        return false;
    return load(registry, extended, error);
}

int own_op_check(void)
{
    struct error error, reason;
    if (own.report)
        fputs(own.report, stdout);
    if (own.report || op_check_answers(&own.op, stdout, &reason))
        return EXIT_RIGHT;
    error_set(&error, "%s: %s", own.file.label, reason.text);
    return error_report(&error);
}
