#include "outcome.h"

#include "bench/base/exit_status.h"

void run_outcome_count(struct run_outcome *outcome, const struct result *result)
{
    size_t *counter = result->status == STATUS_OK        ? &outcome->ok
                      : result->status == STATUS_SKIPPED ? &outcome->skipped
                                                         : &outcome->failed;
    ++*counter;
}

size_t run_outcome_rows(const struct run_outcome *outcome)
{
    return outcome->ok + outcome->skipped + outcome->failed;
}

int run_outcome_status(const struct run_outcome *outcome)
{
    if (outcome->failed > 0)
        return EXIT_WRONG;
    return outcome->ok > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}
