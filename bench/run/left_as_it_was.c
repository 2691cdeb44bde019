#include "left_as_it_was.h"

#include "bench/base/left_behind.h"
#include "bench/base/standard_streams.h"
#include "bench/verify/verify_once.h"

bool left_all_as_it_was(const struct runner_settings *settings, const struct rung *rung, struct check *check)
{
    const struct device *host = devices_host(settings->devices);
    const struct backend *backends[] = {rung->backend->backend, host ? host->entry->backend : NULL};
    const char *changed = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *more = backends[i] && backends[i]->put_back ? backends[i]->put_back() : NULL;
        changed = changed ? changed : more;
    }
    bool has_printed = standard_output_was_printed_to();
    if (left_behind_kill() > 0) {
        verify_fail(check, "leaves a process behind", "");
        return false;
    }
    if (has_printed) {
        verify_fail(check, "prints to standard output", "");
        return false;
    }
    if (!changed || settings->clock.interrupted()) /* an interruption sets a timer */
        return true;
    verify_fail(check, "changes what is not its own: ", changed);
    return false;
}
