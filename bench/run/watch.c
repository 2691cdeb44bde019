#include "watch.h"

#include "bench/report/report_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POLL_MS = 50, FILES_MAX = OWN_KERNELS_MAX + 1 };

/* False: one is not there. */
static bool look(const struct watch *watch, const struct own_request *own, struct watched_file files[FILES_MAX])
{
    bool are_all_there = true;
    for (size_t i = 0; i <= own->paths.count; i++) {
        const char *path = i == 0 ? watch->op : own->paths.items[i - 1];
        struct stat file = {0};
        are_all_there = (!path || stat(path, &file) == 0) && are_all_there;
        files[i] = (struct watched_file){file.st_ctim, file.st_size};
    }
    return are_all_there;
}

static bool is_same(const struct watched_file *a, const struct watched_file *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

void watch_begin(struct watch *watch, const struct own_request *own)
{
    (void)look(watch, own, watch->files);
}

/* They are, and were not written since the look before: editors write in several steps. */
bool watch_wait(const struct watch *watch, const struct own_request *own, int (*interrupted)(void))
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    struct watched_file last[FILES_MAX] = {0}, now[FILES_MAX] = {0};
    bool is_done = false;
    while (!is_done && !interrupted()) {
        (void)nanosleep(&pause, NULL);
        bool are_all_there = look(watch, own, now);
        is_done = are_all_there && is_same(now, last, FILES_MAX) && !is_same(now, watch->files, FILES_MAX);
        memcpy(last, now, sizeof last);
    }
    return is_done && !is_same(now, watch->files, 1);
}

/* The last version's; NULL: none has a time. */
static struct result *find_last(const struct watch *watch, const char *name)
{
    for (size_t i = 0; i < watch->last.count; i++)
        if (strcmp(watch->last.items[i].name, name) == 0)
            return &watch->last.items[i];
    return NULL;
}

static void print_time(struct watch *watch, const struct result *result)
{
    struct result *last = find_last(watch, result->name);
    printf("  %10s", time_text(result->statistics.median).text);
    if (last)
        printf("  %s x the last version", number_text(last->statistics.median / result->statistics.median).text);
    if (!isnan(result->ceiling_pct))
        printf("  %s %% of the ceiling", percent_text(result->ceiling_pct).text);
    if (last)
        *last = *result;
    else
        result_list_add(&watch->last, result);
}

bool watch_print(void *self, const struct result_list *results, struct error *error)
{
    struct watch *watch = self;
    for (const struct result *result = results->items; result < results->items + results->count; result++) {
        printf("%-40s", result->name);
        if (result->status != STATUS_OK)
            printf("  %s: %s\n", status_name(result->status), result->reason);
        else if (result_is_measured(result))
            print_time(watch, result);
        if (result->status == STATUS_OK)
            printf("  correct\n");
    }
    return fflush(stdout) == 0 || error_set(error, "stdout: what was measured cannot be written");
}

void watch_free(struct watch *watch)
{
    result_list_free(&watch->last);
    free(watch->ceilings.items);
}
