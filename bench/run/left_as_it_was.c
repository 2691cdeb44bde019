#include "left_as_it_was.h"

#include "bench/base/left_behind.h"
#include "bench/base/standard_streams.h"
#include "bench/verify/verify_once.h"

static const char *changed_before; /* NULL: nothing */

static const char *find_change(const struct runner_settings *settings, const struct rung *rung)
{
    const struct device *host = devices_host(settings->devices);
    const struct backend *backends[] = {rung->backend->backend, host ? host->entry->backend : NULL};
    const char *changed = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *more = backends[i] && backends[i]->changed ? backends[i]->changed() : NULL;
        changed = changed ? changed : more;
    }
    return changed;
}

void left_as_it_is(const struct runner_settings *settings, const struct rung *rung)
{
    changed_before = find_change(settings, rung);
    (void)left_behind_kill();
    (void)standard_output_was_printed_to();
}

bool left_all_as_it_was(const struct runner_settings *settings, const struct rung *rung, struct check *check)
{
    const char *changed = find_change(settings, rung);
    bool has_printed = standard_output_was_printed_to();
    if (left_behind_kill() > 0) {
        verify_fail(check, "leaves a process behind", "");
        return false;
    }
    if (has_printed) {
        verify_fail(check, "prints to standard output", "");
        return false;
    }
    if (!changed || changed == changed_before || settings->clock.interrupted()) /* an interruption sets a timer */
        return true;
    verify_fail(check, "changes what is not its own: ", changed);
    return false;
}
