#include "identity.h"

#include <string.h>

/* The column that identifies the machine: the UUID for a device, the host name for CPU rungs. */
static enum recorded_text machine_column(const struct observation *observation)
{
    return observation->text[RECORDED_THREADS][0] != '\0' ? RECORDED_HOST : RECORDED_UUID;
}

static bool is_compared(const struct observation *observation, int column, enum identity_demand demand)
{
    if (column < RECORDED_WORK_END)
        return true;
    return demand != IDENTITY_ANY_MACHINE && (column < RECORDED_HOST || observation->on_host);
}

bool identity_check(const struct observation *base, const char *base_file, const struct observation *other,
                    const char *other_file, enum identity_demand demand, struct error *error)
{
    for (int i = 0; i < RECORDED_TEXTS; i++)
        if (is_compared(base, i, demand) && strcmp(base->text[i], other->text[i]) != 0)
            return error_set(error, "%s: %s is '%s' in %s and '%s' in %s, expected the same%s", base->name,
                             recorded_column[i], base->text[i], base_file, other->text[i], other_file,
                             i < RECORDED_WORK_END ? " work" : " machine; --other-device compares anyway");
    enum recorded_text needed = machine_column(base);
    if (demand == IDENTITY_KNOWN && base->text[needed][0] == '\0')
        return error_set(error, "%s: %s is empty in %s, so it may be another machine; --other-device compares anyway",
                         base->name, recorded_column[needed], base_file);
    return true;
}
