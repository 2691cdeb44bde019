#include "watch.h"

#include "bench/report/report_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { POLL_MS = 100 };

/* The last version's time of a row. */
struct known_time {
    char name[160];
    double seconds;
};

/* When and how the files were written last. */
struct stamps {
    struct stamp {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec changed;
    } of[OWN_KERNELS_MAX], op;
    bool are_all_there;
};

static bool read_stamp(const char *path, struct stamp *stamp)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    stamp->device = status.st_dev;
    stamp->inode = status.st_ino;
    stamp->size = status.st_size;
    stamp->changed = status.st_mtim;
    return true;
}

static struct stamps read_stamps(const struct watch *watch, const struct own_request *own)
{
    struct stamps stamps;
    memset(&stamps, 0, sizeof stamps); /* the space between members is compared, too */
    stamps.are_all_there = !watch->op || read_stamp(watch->op, &stamps.op);
    for (size_t i = 0; i < own->paths.count; i++)
        stamps.are_all_there = read_stamp(own->paths.items[i], &stamps.of[i]) && stamps.are_all_there;
    return stamps;
}

bool watch_begin(struct watch *watch, const struct own_request *own, struct error *error)
{
    if (!watch->stamps)
        watch->stamps = malloc(sizeof *watch->stamps);
    if (!watch->stamps)
        return error_set(error, "no memory for the files to watch");
    *watch->stamps = read_stamps(watch, own);
    return true;
}

/* They are, and were not written since the look before: editors write in several steps. */
bool watch_wait(const struct watch *watch, const struct own_request *own, int (*interrupted)(void))
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    struct stamps last = *watch->stamps;
    while (!interrupted()) {
        (void)nanosleep(&pause, NULL);
        struct stamps now = read_stamps(watch, own);
        bool is_settled = now.are_all_there && memcmp(&now, &last, sizeof now) == 0;
        if (is_settled && memcmp(&now, watch->stamps, sizeof now) != 0)
            return memcmp(&now.op, &watch->stamps->op, sizeof now.op) != 0;
        last = now;
    }
    return false;
}

static double *known_time_of(struct watch *watch, const char *name)
{
    for (size_t i = 0; i < watch->count; i++)
        if (strcmp(watch->known[i].name, name) == 0)
            return &watch->known[i].seconds;
    struct known_time *known = realloc(watch->known, (watch->count + 1) * sizeof *known);
    if (!known)
        return NULL;
    watch->known = known;
    struct known_time *added = &known[watch->count++];
    *added = (struct known_time){.seconds = NAN};
    snprintf(added->name, sizeof added->name, "%s", name);
    return &added->seconds;
}

static void print_time(struct watch *watch, const struct result *result)
{
    char time[FIGURE_MAX], ratio[FIGURE_MAX], ceiling[FIGURE_MAX];
    double seconds = result_is_measured(result) ? result->statistics.median : (double)NAN;
    double *last_s = known_time_of(watch, result->name);
    if (isnan(seconds)) {
        printf("  correct\n");
        return;
    }
    printf("  %10s", time_text(seconds, time));
    if (last_s && !isnan(*last_s))
        printf("  %s x the last version", number_text(*last_s / seconds, ratio));
    if (!isnan(result->ceiling_pct))
        printf("  %s %% of the ceiling", percent_text(result->ceiling_pct, ceiling));
    printf("  correct\n");
    if (last_s)
        *last_s = seconds;
}

bool watch_print(void *self, const struct result *result, struct error *error)
{
    struct watch *watch = self;
    printf("%-40s", result->name);
    if (result->status == STATUS_OK)
        print_time(watch, result);
    else
        printf("  %s: %s\n", status_name(result->status), result->reason);
    return fflush(stdout) == 0 || error_set(error, "stdout: what was measured cannot be written");
}

void watch_free(struct watch *watch)
{
    free(watch->known);
    free(watch->stamps);
}
