#include "constants.h"

#include "bench/base/digest.h"
#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "bench/own/cache.h"
#include "bench/table/rung.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 16, SWEEPS = 20000, TIMES_LEAST = MODEL_TERMS };

/* The sums over all rows of products of two columns, and of a column with what it is to be. */
struct normal {
    double matrix[MODEL_TERMS][MODEL_TERMS], target[MODEL_TERMS];
    size_t rows;
};

static struct normal normal_of(const struct timed_shape *timed, size_t count, size_t candidate)
{
    struct normal normal = {.rows = 0};
    for (const struct timed_shape *row = timed; row < timed + count; row++) {
        double terms[MODEL_TERMS] = {0};
        if (row->candidate != candidate)
            continue;
        candidates[candidate].terms(&row->shape, terms);
        const double weight = row->best_us / row->us, scale = weight / row->us;
        for (int i = 0; i < MODEL_TERMS; i++) {
            normal.target[i] += terms[i] * scale * weight;
            for (int j = 0; j < MODEL_TERMS; j++)
                normal.matrix[i][j] += terms[i] * scale * terms[j] * scale;
        }
        normal.rows++;
    }
    return normal;
}

/* Coordinate descent: each constant in turn is made the best one, or zero, while the others stay. */
static void solve(const struct normal *normal, double constants[MODEL_TERMS])
{
    memset(constants, 0, MODEL_TERMS * sizeof *constants);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < MODEL_TERMS; i++) {
            double rest = normal->target[i];
            for (int j = 0; j < MODEL_TERMS; j++)
                rest -= j == i ? 0 : normal->matrix[i][j] * constants[j];
            constants[i] = normal->matrix[i][i] > 0 && rest > 0 ? rest / normal->matrix[i][i] : 0;
        }
}

void constants_fit(const struct timed_shape *timed, size_t count, double constants[][MODEL_TERMS])
{
    for (size_t i = 0; i < candidate_count; i++) {
        const struct normal normal = normal_of(timed, count, i);
        if (normal.rows >= TIMES_LEAST)
            solve(&normal, constants[i]);
        else
            memcpy(constants[i], candidates[i].constants, sizeof candidates[i].constants);
    }
}

/* free() it. */
static char *text_of(const struct device_info *info, const double constants[][MODEL_TERMS])
{
    char *text = NULL, hex[DIGEST_HEX];
    size_t bytes;
    FILE *to = memory_have(open_memstream(&text, &bytes));
    fprintf(to, "/* Microseconds per unit of each term of model.c, version %d: %s, %s */\n", MODEL_VERSION, info->name,
            info->uuid);
    for (size_t i = 0; i < candidate_count; i++) {
        fprintf(to, "CONSTANTS(%s", candidates[i].name);
        for (int j = 0; j < MODEL_TERMS; j++)
            fprintf(to, ", %.6g", constants[i][j]);
        fputs(")\n", to);
    }
    fflush(to);
    digest_of(text, bytes, hex);
    fprintf(to, "/* %s */\n", hex);
    fclose(to);
    return memory_have(text);
}

/* False: it has not all of them. */
static bool read_numbers(const char *text, double constants[][MODEL_TERMS])
{
    for (size_t i = 0; i < candidate_count; i++) {
        text = strstr(text, "CONSTANTS(");
        if (!text)
            return false;
        text += strcspn(text, ",");
        for (int j = 0; j < MODEL_TERMS; j++) {
            char *end = NULL;
            constants[i][j] = *text == ',' ? strtod(text + 1, &end) : (double)NAN;
            if (!(constants[i][j] >= 0 && constants[i][j] <= 1e9))
                return false;
            text = end;
        }
    }
    return true;
}

static bool path_for(const struct device_info *info, char path[PATH_MAX], struct error *error)
{
    char folder[CACHE_FOLDER_BYTES];
    if (!cache_folder(folder, error))
        return false;
    snprintf(path, PATH_MAX, "%s/constants-%s", folder, info->uuid);
    return true;
}

bool constants_can_be_kept(struct error *error)
{
    char folder[CACHE_FOLDER_BYTES];
    return cache_folder(folder, error) &&
           (access(folder, W_OK) == 0 || error_set(error, "%s: cannot be written", folder));
}

bool constants_keep(const struct device_info *info, const double constants[][MODEL_TERMS], char path[PATH_MAX],
                    struct error *error)
{
    static struct output output;
    if (!path_for(info, path, error) || !output_open(&output, path, error))
        return false;
    char *text = text_of(info, constants);
    const bool ok = output_write(&output, text, strlen(text), error);
    free(text);
    if (!ok)
        output_discard(&output);
    return ok && output_commit(&output, error);
}

/* What it says is what would be written for it, its digest included: so it is whole. */
static bool is_sound(const struct device_info *info, const char *text, double constants[][MODEL_TERMS])
{
    if (!read_numbers(text, constants))
        return false;
    char *same = text_of(info, (const double(*)[MODEL_TERMS])constants);
    const bool is_same = strcmp(text, same) == 0;
    free(same);
    return is_same;
}

void constants_take(struct device_info *info)
{
    static double constants[MODEL_CANDIDATES_MAX][MODEL_TERMS];
    char path[PATH_MAX];
    struct error error;
    model_use(NULL);
    if (!path_for(info, path, &error) || access(path, F_OK) != 0)
        return;
    char *text = regular_file_read_text(path, path, FILE_BYTES_MAX, &error);
    if (text && is_sound(info, text, constants)) {
        model_use((const double(*)[MODEL_TERMS])constants);
    } else {
        struct device_note *note =
            device_info_add_note(info, "constants-damaged",
                                 "%.120s is not what rungbench --tune writes for this GPU: constants are those of "
                                 "another",
                                 path);
        if (note)
            note->traits = RUNG_AUTO;
    }
    free(text);
}
