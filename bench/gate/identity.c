#include "identity.h"

#include <string.h>

/* What tells a machine from another: of a device its UUID, of a host its name. */
static enum recorded_text distinguishing(const struct observation *observation)
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
                             i < RECORDED_WORK_END ? " work" : " machine; --other-device compares all the same");
    enum recorded_text needed = distinguishing(base);
    if (demand == IDENTITY_KNOWN && base->text[needed][0] == '\0')
        return error_set(error,
                         "%s: %s is empty in %s, so nobody knows whether it is the same machine; --other-device "
                         "compares all the same",
                         base->name, recorded_column[needed], base_file);
    return true;
}
