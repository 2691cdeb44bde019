#include "run_devices.h"

#include "bench/base/interrupt.h"
#include "bench/base/output.h"
#include "bench/place/devices.h"
#include "bench/report/side_by_side.h"
#include "each_device.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int device_run(void *self, size_t index, const char *file)
{
    static char flag[32];
    const struct device_run *one = self;
    struct options *options = one->options;
    const int device = options->devices[index];
    size_t count = 0;
    while (one->arguments[count])
        count++;
    snprintf(flag, sizeof flag, "--device=%d", device);
    if (device >= 0 && options->backend.device < 0)
        one->arguments[count] = flag; /* players get it, too */
    options->backend.device = options->own.device = device;
    options->out = file;
    options->is_hushed = options->is_hushed || index > 0;
    if (options->together && options->is_hushed)
        options->progress = CHOICE_OFF;
    if (!freopen("/dev/null", "w", stdout)) /* it has no table */
        return EXIT_USAGE;
    const int status = one->run(options, one->argv);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

/* The backend that has devices; NULL: this build has none. */
static const struct backend_entry *find_with_devices(const struct registry *registry)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (registry->backends[i].separate_memory)
            return &registry->backends[i];
    return NULL;
}

int run_devices_count(const struct options *options, const struct registry *registry)
{
    const struct backend_entry *entry = find_with_devices(registry);
    enum { NONE = 255 };
    int how = 0;
    signal(SIGCHLD, SIG_DFL); /* or nobody would learn how it ends, nor how runs do */
    const pid_t child = fork();
    if (child == 0) {
        struct error error;
        for (size_t i = 0; i < options->device_count; i++)
            if (!devices_have(registry, "--devices", options->devices[i], &error)) {
                (void)error_report(&error);
                _exit(NONE);
            }
        const int count = entry && entry->backend ? entry->backend->device_count() : 0;
        _exit(count < OPTIONS_DEVICES_MAX ? count : OPTIONS_DEVICES_MAX);
    }
    while (child > 0 && waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            break;
    if (child > 0 && WIFEXITED(how))
        return WEXITSTATUS(how) == NONE ? -1 : WEXITSTATUS(how);
    fputs("rungbench: devices cannot be counted: the process that asks the driver has failed\n", stderr);
    return -1;
}

int run_devices(struct options *options, const struct registry *registry, char **arguments, char **argv,
                int (*run)(struct options *options, char **argv))
{
    const struct backend_entry *entry = find_with_devices(registry);
    struct device_run one = {options, arguments, argv, run};
    struct output out;
    struct error error;
    int status;
    const int count = run_devices_count(options, registry);
    if (count < 0)
        return EXIT_USAGE;
    for (int i = 0; i < count && options->all_devices; i++)
        options->devices[options->device_count++] = i;
    if (!options->only && options->own.paths.count == 0)
        options->only = entry;
    if (options->device_count == 0) { /* the run says why */
        options->require = options->require ? options->require : entry;
        return run(options, argv);
    }
    const char *path = options->out;
    if (path && !output_open(&out, path, &error))
        return error_report(&error);
    struct each_device each = {.devices = options->devices,
                               .count = options->device_count,
                               .together = options->together,
                               .run = device_run,
                               .self = &one,
                               .interrupted = interrupt_ends_run};
    if (!each_device_begin(&each, &status, &error)) {
        if (path)
            output_discard(&out);
        return error_report(&error);
    }
    const int merged = side_by_side(each.paths, registry, true, path ? &out : NULL, stdout, &error);
    each_device_end(&each, merged == EXIT_USAGE);
    return merged == EXIT_USAGE ? error_report(&error) : status;
}
