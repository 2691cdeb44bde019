#include "quiet_watch.h"

/* Other threads rest if none is running or waiting for a processor, in several looks one after the other, and if they
 * have computed for less than this share of the time between. */
static const double busy_share = 0.02;
enum { QUIET_LOOKS = 3 };
/* For so long, and until they have computed for so long: where others have the processors, threads that spin for a
 * moment take many times that moment. */
static const double patience_s = 0.3, patience_cpu_s = 0.2, patience_at_most_s = 10;

struct quiet_watch quiet_watch_begin(const struct look *look)
{
    return (struct quiet_watch){.first = *look, .last = *look};
}

void quiet_watch_look(struct quiet_watch *watch, const struct look *look)
{
    double waited_s = look->now_s - watch->last.now_s, computed_s = look->computed_s - watch->last.computed_s;
    watch->quiet = !look->any_runs && computed_s < busy_share * waited_s ? watch->quiet + 1 : 0;
    watch->last = *look;
}

bool quiet_watch_is_quiet(const struct quiet_watch *watch)
{
    return watch->quiet >= QUIET_LOOKS;
}

bool quiet_watch_is_over(const struct quiet_watch *watch)
{
    double waited_s = watch->last.now_s - watch->first.now_s;
    double computed_s = watch->last.computed_s - watch->first.computed_s;
    return waited_s >= patience_s && (computed_s >= patience_cpu_s || waited_s >= patience_at_most_s);
}
