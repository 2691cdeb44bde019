#include "cards.h"

#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"
#include "report_text.h"
#include "reporter.h"
#include "results_file.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run. */
struct card {
    const char *path;           /* of its first row */
    const struct result *known; /* one of its rows: with a device of its own if there is one, */
    struct result_list rows, merged;
};

struct cards {
    const struct registry *registry;
    struct results_file *files;
    size_t file_count;
    struct card *items;
    size_t count;
};

enum { ACROSS = 4, NAME = 18, MODE = 8 }; /* so many cards have a column each */

static struct card *card_of(struct cards *cards, const struct result *row, const char *path)
{
    for (size_t i = 0; i < cards->count; i++) {
        const struct run_facts *run = cards->items[i].known->run;
        if (strcmp(run->host, row->run->host) == 0 && strcmp(run->sitting, row->run->sitting) == 0)
            return &cards->items[i];
    }
    cards->items = memory_grow(cards->items, cards->count, sizeof *cards->items);
    cards->items[cards->count] = (struct card){.path = path, .known = row};
    return &cards->items[cards->count++];
}

static bool read_files(struct cards *cards, const char *const *paths, struct error *error)
{
    while (paths[cards->file_count])
        cards->file_count++;
    cards->files = memory_get(cards->file_count, sizeof *cards->files);
    for (size_t i = 0; i < cards->file_count; i++)
        cards->files[i] = (struct results_file){.path = paths[i]};
    for (struct results_file *file = cards->files; file < cards->files + cards->file_count; file++) {
        if (!results_file_read(file, cards->registry, error))
            return false;
        if (file->slowed_rows > 0)
            return error_set(error, "%s: saw rows that --slowdown made, expected results", file->path);
        for (size_t i = 0; i < file->results.count; i++) {
            const struct result *row = &file->results.items[i];
            struct card *card = card_of(cards, row, file->path);
            result_list_add(&card->rows, row);
            if (row->device && (!card->known->device || (card->known->is_host && !row->is_host)))
                card->known = row;
        }
    }
    return true;
}

/* NULL: the card has no such row. */
static const struct result *row_of(const struct card *card, const char *name)
{
    for (size_t i = 0; i < card->merged.count; i++)
        if (strcmp(card->merged.items[i].name, name) == 0)
            return &card->merged.items[i];
    return NULL;
}

/* Whether flags and program were the same, as far as the row tells; what is unknown differs from nothing. */
static bool agree(const struct card *card, const struct result *row, const struct card *other,
                  const struct result *same, struct error *error)
{
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++) {
        char buffers[2][COLUMN_BUFFER];
        const struct column *column = &result_columns[id];
        const char *a = column_text(column, row, buffers[0]), *b = column_text(column, same, buffers[1]);
        const bool must = id == COLUMN_git_rev || id == COLUMN_context || (column->gate == GATE_WORK && a[0] && b[0]);
        if (must && strcmp(a, b) != 0)
            return error_set(
                error, "%s and %s: %s of %s is '%.60s' and '%.60s', expected runs that differ in their card alone",
                card->path, other->path, column->name, row->name, a, b);
    }
    return true;
}

static bool all_agree(const struct cards *cards, struct error *error)
{
    const struct card *first = cards->items;
    for (const struct card *card = first + 1; card < first + cards->count; card++) {
        for (size_t i = 0; i < first->merged.count || i < card->merged.count; i++) {
            const struct result *row = i < first->merged.count ? &first->merged.items[i] : NULL;
            const struct result *other = row ? row_of(card, row->name) : NULL;
            const struct result *extra = i < card->merged.count ? &card->merged.items[i] : NULL;
            if (row && !other)
                return error_set(error, "%s: saw no row %s, which %s has, expected the same rows", card->path,
                                 row->name, first->path);
            if (extra && !row_of(first, extra->name))
                return error_set(error, "%s: saw no row %s, which %s has, expected the same rows", first->path,
                                 extra->name, card->path);
            if (row && !agree(first, row, card, other, error))
                return false;
        }
    }
    return true;
}

static bool write_merged(const struct cards *cards, struct output *output, struct error *error)
{
    bool ok = output_write_preamble(output, report_csv_header, strlen(report_csv_header), error);
    for (const struct card *card = cards->items; card < cards->items + cards->count; card++)
        for (size_t i = 0; i < card->rows.count && ok; i++)
            ok = output_print(output, report_csv_print, &card->rows.items[i], error);
    return ok;
}

/* The measured ones of a row, from the fastest to the slowest. */
struct measured {
    struct measured_card {
        size_t card;
        const struct result *row;
    } * items;
    size_t count;
};

static int by_time(const void *left, const void *right)
{
    const struct measured_card *a = left, *b = right;
    const double x = a->row->statistics.median, y = b->row->statistics.median;
    return x != y ? (x > y) - (x < y) : (a->card > b->card) - (a->card < b->card);
}

static struct measured measured_of(const struct cards *cards, const char *name)
{
    struct measured measured = {memory_get(cards->count, sizeof *measured.items), 0};
    for (size_t i = 0; i < cards->count; i++) {
        const struct result *row = row_of(&cards->items[i], name);
        if (row && result_is_measured(row))
            measured.items[measured.count++] = (struct measured_card){i, row};
    }
    qsort(measured.items, measured.count, sizeof *measured.items, by_time);
    return measured;
}

/* The one in the middle, by which others are judged; of two that are, the faster one. */
static const struct result *middle_of(const struct measured *measured)
{
    return measured->items[(measured->count - 1) / 2].row;
}

/* How many of the last are slower than the one in the middle: all rounds of theirs than all of its. */
static size_t slower_ones(const struct measured *measured)
{
    size_t count = 0;
    while (count < measured->count && standing_range(measured->items[measured->count - 1 - count].row).low >
                                          standing_range(middle_of(measured)).high)
        count++;
    return count;
}

/* How much longer than the one in the middle, in per cent. */
static double excess_pct(const struct measured *measured, const struct result *row)
{
    return 100 * (row->statistics.median / middle_of(measured)->statistics.median - 1);
}

static void print_slower(const struct measured *measured, FILE *to)
{
    const size_t slower = slower_ones(measured);
    char words[64] = "";
    for (size_t i = measured->count - slower; i < measured->count && slower <= 2; i++)
        text_append(words, sizeof words, "%s%zu", words[0] ? ", " : "", measured->items[i].card + 1);
    if (slower > 2)
        snprintf(words, sizeof words, "%zu cards", slower);
    if (slower > 0)
        fprintf(to, "  %s: +%.1f %%", words, excess_pct(measured, measured->items[measured->count - 1].row));
    fputc('\n', to);
}

static const char *word_of(const struct result *row)
{
    return !row                            ? "-" /* its run was cut short */
           : result_is_wrong(row)          ? "WRONG"
           : row->status == STATUS_FAILED  ? "failed"
           : row->status == STATUS_SKIPPED ? "skipped"
           : row->statistics.count == 0    ? "correct"
                                           : "";
}

static void print_row(const struct cards *cards, const struct result *row, FILE *to)
{
    struct measured measured = measured_of(cards, row->name);
    char name[NAME + MODE + 2];
    snprintf(name, sizeof name, "%-*.*s %-*.*s", NAME, NAME, row->variant, MODE, MODE, row->mode);
    plain_text_make(name); /* from a file */
    fprintf(to, "  %s", name);
    for (size_t i = 0; i < cards->count && cards->count <= ACROSS; i++) {
        const struct result *of_card = row_of(&cards->items[i], row->name);
        fprintf(to, " %9s",
                of_card && result_is_measured(of_card) ? time_text(of_card->statistics.median).text : word_of(of_card));
    }
    if (cards->count > ACROSS && measured.count > 0) {
        const struct measured_card *fastest = measured.items, *slowest = &measured.items[measured.count - 1];
        fprintf(to, " %9s %4zu %9s %9s %4zu", time_text(fastest->row->statistics.median).text, fastest->card + 1,
                time_text(middle_of(&measured)->statistics.median).text,
                time_text(slowest->row->statistics.median).text, slowest->card + 1);
    } else if (cards->count > ACROSS) {
        fprintf(to, " %9s", word_of(row));
    }
    if (measured.count > 0)
        print_slower(&measured, to);
    else
        fputc('\n', to);
    for (size_t i = 0; i < cards->count; i++) {
        const struct result *of_card = row_of(&cards->items[i], row->name);
        if (of_card && of_card->status == STATUS_FAILED)
            wrap_print(to, 6, 6, "%zu: %s", i + 1, of_card->reason);
    }
    free(measured.items);
}

static void print_headings(const struct cards *cards, const struct result *row, FILE *to)
{
    fputc('\n', to);
    wrap_print(to, 0, 2, "%s/%s  %s", row->op, row->workload, row->shape);
    fprintf(to, "  %-*s %-*s", NAME, "variant", MODE, "mode");
    for (size_t i = 0; i < cards->count && cards->count <= ACROSS; i++)
        fprintf(to, " %9zu", i + 1);
    if (cards->count > ACROSS)
        fprintf(to, " %9s %4s %9s %9s %4s", "fastest", "card", "median", "slowest", "card");
    fputs("  slower\n", to);
}

static void print_cards(const struct cards *cards, FILE *to)
{
    for (size_t i = 0; i < cards->count; i++) {
        const struct result *known = cards->items[i].known;
        wrap_print(to, 2, 6, "%zu  %s: %s%s%s", i + 1, known->run->host,
                   known->device ? known->device->name : "no device",
                   known->device && known->device->uuid[0] ? ", " : "", known->device ? known->device->uuid : "");
    }
}

/* Of a card: by how much it is longer in each of its rows, and in how many of them it is slower. */
static void print_verdict(const struct cards *cards, size_t card, bool *any, FILE *to)
{
    const struct result_list *rows = &cards->items[card].merged;
    double *excess = memory_get(rows->count, sizeof *excess);
    size_t count = 0, slower = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct measured measured = measured_of(cards, rows->items[i].name);
        for (size_t k = 0; k < measured.count && measured.count > 1; k++)
            if (measured.items[k].card == card) {
                excess[count++] = excess_pct(&measured, measured.items[k].row);
                slower += k >= measured.count - slower_ones(&measured);
            }
        free(measured.items);
    }
    if (2 * slower > count) {
        wrap_print(to, 2, 4, "Card %zu (%s) is slower than the others: in %zu of %zu rows, in the median by %.1f %%.",
                   card + 1, cards->items[card].known->run->host, slower, count, statistics_of(excess, count).median);
        *any = true;
    }
    free(excess);
}

/* The card with the most rows. */
static const struct card *longest(const struct cards *cards)
{
    const struct card *found = cards->items;
    for (const struct card *card = found; card < cards->items + cards->count; card++)
        found = card->merged.count > found->merged.count ? card : found;
    return found;
}

static void print_all(const struct cards *cards, FILE *to)
{
    const struct result_list *rows = &longest(cards)->merged;
    bool any = false;
    print_cards(cards, to);
    for (size_t i = 0; i < rows->count; i++) {
        if (i == 0 || !result_same_workload(&rows->items[i - 1], &rows->items[i]))
            print_headings(cards, &rows->items[i], to);
        print_row(cards, &rows->items[i], to);
    }
    fputc('\n', to);
    for (size_t i = 0; i < cards->count; i++)
        print_verdict(cards, i, &any, to);
    if (!any)
        wrap_print(to, 2, 4, "No card is slower than the others in most of its rows.");
}

static int status_of(const struct cards *cards)
{
    size_t right = 0, bad = 0;
    for (size_t i = 0; i < cards->count; i++) {
        const struct result_counts counts = result_list_counts(&cards->items[i].merged);
        right += counts.measured + counts.verified;
        bad += counts.failed;
    }
    return bad > 0 ? EXIT_WRONG : right > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

int cards_merge(const char *const *paths, const struct registry *registry, bool is_cut_short, struct output *out,
                FILE *to, struct error *error)
{
    const bool has_table = to && !(out && out->fd == fileno(to));
    struct cards cards = {.registry = registry};
    bool ok = read_files(&cards, paths, error);
    for (struct card *card = cards.items; card < cards.items + cards.count && ok; card++)
        ok = results_merge(&card->rows, card->path, registry, &card->merged, error);
    if (ok && !is_cut_short)
        ok = (cards.count > 1 || error_set(error, "--merge: saw %s, expected files of two runs at least",
                                           cards.count == 1 ? "one run" : "no rows")) &&
             all_agree(&cards, error);
    ok = ok && (!out || write_merged(&cards, out, error));
    if (out && !ok)
        output_discard(out);
    else if (out)
        ok = output_commit(out, error);
    if (ok && cards.count > 0 && has_table) {
        print_all(&cards, to);
        ok = (fflush(to) == 0 && !ferror(to)) || error_set(error, "stdout: the table cannot be written");
    }
    const int status = ok ? status_of(&cards) : EXIT_USAGE;
    for (struct card *card = cards.items; card < cards.items + cards.count; card++) {
        result_list_free(&card->rows);
        result_list_free(&card->merged);
    }
    for (size_t i = 0; i < cards.file_count; i++)
        results_file_free(&cards.files[i]);
    free(cards.items);
    free(cards.files);
    return status;
}
