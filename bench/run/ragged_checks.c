#include "ragged_checks.h"

#include "bench/base/seeded.h"
#include "bench/verify/verify_far.h"
#include "bench/verify/verify_input.h"
#include "left_as_it_was.h"

#include <stdio.h>
#include <stdlib.h>

struct ragged_verdict {
    bool known;
    struct check check;
};

bool ragged_checks_make(struct ragged_checks *checks, const struct runner_settings *settings)
{
    *checks = (struct ragged_checks){settings, calloc(settings->registry->rung_count, sizeof *checks->verdicts)};
    return checks->verdicts != NULL;
}

void ragged_checks_free(struct ragged_checks *checks)
{
    free(checks->verdicts);
}

bool ragged_checks_are_done(const struct ragged_checks *checks)
{
    return checks->settings->facts->round > 0 && !checks->settings->options->verify;
}

/* What is timed is verified at its own size. Whether larger ones are right is what --verify is asked, and what we owe
 * to the kernel of a user. */
static bool must_try_far(const struct runner_settings *settings, const struct rung *rung)
{
    return settings->options->verify || rung->load;
}

static void try_far(const struct runner_settings *settings, const struct rung *rung, struct check *check)
{
    struct error left_out;
    verify_far(rung, seeded_stream(settings->options->seed, 'f'), check, &left_out);
    if (left_out.text[0] != '\0')
        fprintf(stderr, "rungbench: note: %s\n", left_out.text);
}

const struct check *ragged_check(struct ragged_checks *checks, const struct rung *rung)
{
    const struct runner_settings *settings = checks->settings;
    struct ragged_verdict *verdict = &checks->verdicts[rung - settings->registry->rungs];
    if (verdict->known)
        return &verdict->check;
    left_as_it_is(settings, rung);
    verdict->check = verify_none();
    if (!ragged_checks_are_done(checks)) {
        verify_ragged(rung, seeded_stream(settings->options->seed, 'r'), &verdict->check);
        if (must_try_far(settings, rung))
            try_far(settings, rung, &verdict->check);
        if (verdict->check.correct)
            (void)left_all_as_it_was(settings, rung, &verdict->check);
    }
    verdict->known = true;
    return &verdict->check;
}
