#include "reporter.h"

bool reporters_early(const struct reporter *reporters, size_t count, const struct result *result, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (reporters[i].early && !reporters[i].early(reporters[i].self, result, error))
            return false;
    return true;
}

bool reporters_result(const struct reporter *reporters, size_t count, const struct result *result, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (reporters[i].result && !reporters[i].result(reporters[i].self, result, error))
            return false;
    return true;
}

bool reporters_end(const struct reporter *reporters, size_t count, struct error *error)
{
    bool ok = true;
    struct error more;
    for (size_t i = 0; i < count; i++)
        if (reporters[i].end && !reporters[i].end(reporters[i].self, ok ? error : &more))
            ok = false;
    return ok;
}
