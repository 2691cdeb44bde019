#include "identity.h"

#include <string.h>

/* The column that identifies the machine: the UUID for a device, the host name for CPU rungs. */
static enum column_id machine_column(const struct observation *observation)
{
    return observation->text[COLUMN_threads][0] != '\0' ? COLUMN_host : COLUMN_device_uuid;
}

static bool is_compared(const struct observation *observation, enum gate_use use, enum identity_demand demand)
{
    return use == GATE_WORK || (demand != IDENTITY_ANY_MACHINE && (use == GATE_MACHINE || observation->on_host));
}

bool identity_check(const struct observation *base, const char *base_file, const struct observation *other,
                    const char *other_file, enum identity_demand demand, struct error *error)
{
    for (enum gate_use use = GATE_WORK; use <= GATE_HOST && is_compared(base, use, demand); use++)
        for (int i = 0; i < RESULT_COLUMNS; i++)
            if (result_columns[i].gate == use && strcmp(base->text[i], other->text[i]) != 0)
                return error_set(error, "%s: %s is '%s' in %s and '%s' in %s, expected the same%s", base->name,
                                 result_columns[i].name, base->text[i], base_file, other->text[i], other_file,
                                 use == GATE_WORK ? " work" : " machine; --other-device compares anyway");
    enum column_id needed = machine_column(base);
    if (demand == IDENTITY_KNOWN && base->text[needed][0] == '\0')
        return error_set(error, "%s: %s is empty in %s, so it may be another machine; --other-device compares anyway",
                         base->name, result_columns[needed].name, base_file);
    return true;
}
