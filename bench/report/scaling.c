#include "scaling.h"

#include "bench/base/json_text.h"
#include "bench/base/plain_text.h"
#include "report_text.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char mode[] = "hot";

/* The fastest of both sides; `part` is one GPU's on a workload of the operation that is what each of the several has.
 */
struct scaling {
    const struct result *together, *one, *part; /* NULL: there is none */
};

static double seconds(const struct result *row)
{
    return row ? row->statistics.median : (double)NAN;
}

/* Of "8x5" among 2 what "16x5" is: one size is a share, the others are the same. */
static bool is_part(const struct result *part, const struct result *of)
{
    const char *share = part->shape, *all = of->shape;
    int shared = 0;
    while (*share && *all) {
        char *share_end, *all_end;
        const long long a = strtoll(share, &share_end, 10), b = strtoll(all, &all_end, 10);
        if ((a != b && a * of->device->cards != b) || *share_end != *all_end || share_end == share)
            return false;
        shared += a != b;
        share = share_end + (*share_end == 'x');
        all = all_end + (*all_end == 'x');
    }
    return shared == 1 && !*share && !*all && strcmp(part->op, of->op) == 0;
}

static const struct result *find_part(const struct result_list *rows, const struct result *of)
{
    struct result_list block;
    for (size_t first = 0; first < rows->count; first += block.count) {
        block = result_list_around(rows, &rows->items[first]);
        const struct result *fastest = standing_fastest(&block, block.items, mode, AMONG_DEVICES);
        if (fastest && is_part(fastest, of))
            return fastest;
    }
    return NULL;
}

static bool find(const struct result_list *rows, const struct result_list *block, struct scaling *scaling)
{
    scaling->together = standing_fastest(block, block->items, mode, AMONG_TOGETHER);
    if (!scaling->together)
        return false;
    scaling->one = standing_fastest(block, block->items, mode, AMONG_DEVICES);
    scaling->part = find_part(rows, scaling->together);
    return scaling->one || scaling->part;
}

/* What their time has beyond that of a part, in per cent of it: what they tell each other, and wait for. */
static double between_pct(const struct scaling *is)
{
    return 100 * (1 - seconds(is->part) / seconds(is->together));
}

static json_t *to_json(const struct scaling *is)
{
    const struct result *together = is->together, *one = is->one, *part = is->part;
    const double cards = (double)together->device->cards;
    const struct ratio strong = standing_ratio(one, together), share = standing_ratio(part, together);
    const struct ratio weak = {cards * share.value, cards * share.low, cards * share.high, share.is_approximate};
    char text[1024];
    snprintf(text, sizeof text, "%s/%s: %.0f GPUs (%s, %s) take %s", together->op, together->workload, cards,
             together->variant, mode, time_text(seconds(together)).text);
    if (one)
        text_append(text, sizeof text, ", %s times as fast as one (%s)%s", number_text(strong.value).text, one->variant,
                    strong.value < 1 ? ": one is faster" : "");
    if (part && between_pct(is) > 0)
        text_append(
            text, sizeof text,
            "; what each has (%s) takes one %s (%s): %s times the work in that time, %s %% of it is communication",
            part->workload, time_text(seconds(part)).text, part->variant, number_text(weak.value).text,
            number_text(between_pct(is)).text);
    json_t *to = JSON_OBJECT(
        {"op", json_known(together->op)}, {"workload", json_known(together->workload)}, {"mode", json_known(mode)},
        {"cards", json_number(cards)}, {"rung", json_known(together->variant)},
        {"time_s", json_number(seconds(together))}, {"one_rung", one ? json_known(one->variant) : NULL},
        {"one_time_s", json_number(seconds(one))}, {"part_workload", part ? json_known(part->workload) : NULL},
        {"part_rung", part ? json_known(part->variant) : NULL}, {"part_time_s", json_number(seconds(part))},
        {"between_pct", json_number(between_pct(is))}, {"text", json_known(text)});
    standing_put_ratio(to, "strong", strong);
    standing_put_ratio(to, "weak", weak);
    return to;
}

json_t *scaling_json(const struct result_list *rows)
{
    json_t *list = json_array();
    struct result_list block;
    struct scaling scaling;
    for (size_t first = 0; first < rows->count; first += block.count) {
        block = result_list_around(rows, &rows->items[first]);
        if (find(rows, &block, &scaling))
            json_array_append_new(list, to_json(&scaling));
    }
    return list;
}
