#include "kept.h"

#include "turns.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

void kept_slowed_name(size_t number, char *name, size_t size)
{
    snprintf(name, size, "slowed-%zu", number);
}

bool kept_path(const char *folder, const char *side, char *path, size_t size, struct error *error)
{
    int length = snprintf(path, size, "%s/%s.csv", folder, side);
    return (length >= 0 && (size_t)length < size) || error_set(error, "%.64s...: the path is too long", folder);
}

static bool read_side(const char *folder, const char *name, struct recording *recording, struct error *error)
{
    char path[PATH_MAX];
    if (!kept_path(folder, name, path, sizeof path, error) || !recording_read_more(path, recording, error))
        return false;
    recording->name = name;
    return true;
}

static bool has_side(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct error ignored;
    return kept_path(folder, name, path, sizeof path, &ignored) && access(path, F_OK) == 0;
}

static bool read_slowed(const char *folder, struct kept *kept, struct error *error)
{
    static char names[SESSION_ARMS_MAX][32];
    for (size_t i = 0; i < SESSION_ARMS_MAX; i++) {
        kept_slowed_name(i + 1, names[i], sizeof names[i]);
        if (!has_side(folder, names[i]))
            break;
        if (!read_side(folder, names[i], &kept->slowed[i], error))
            return false;
        if (i == kept->slowed_count)
            kept->slowed_count++;
    }
    return true;
}

static bool fold_turns(struct kept *kept, size_t turns, struct error *error)
{
    struct recording *all[SESSION_ARMS_MAX + 2] = {&kept->base, &kept->other};
    size_t count = 2;
    for (size_t i = 0; i < kept->slowed_count; i++)
        all[count++] = &kept->slowed[i];
    bool ok = turns_drop_unfinished(all, count, turns, error);
    for (size_t i = 0; i < count && ok; i++)
        ok = turns_fold(all[i], turns, error);
    return ok;
}

bool kept_read(const char *const *folders, size_t count, size_t turns, struct kept *kept, struct error *error)
{
    bool ok = true;
    *kept = (struct kept){0};
    for (size_t i = 0; i < count && ok; i++)
        ok = read_side(folders[i], "base", &kept->base, error) && read_side(folders[i], "new", &kept->other, error) &&
             read_slowed(folders[i], kept, error);
    ok = ok && fold_turns(kept, turns, error);
    if (!ok)
        kept_free(kept);
    return ok;
}

void kept_free(struct kept *kept)
{
    recording_free(&kept->base);
    recording_free(&kept->other);
    for (size_t i = 0; i < SESSION_ARMS_MAX; i++)
        recording_free(&kept->slowed[i]);
    kept->slowed_count = 0;
}
