#include "foreign.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* With aggregates, which are no times. */
void put_google(FILE *to, const struct foreign_rows *rows)
{
    fputs("{\"context\": {\"host_name\": \"alpha\", \"x\": NaN, \"y\": [-Infinity, 1]}, \"benchmarks\": [", to);
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t r = 0; r < rows->times; r++)
            fprintf(to,
                    "{\"name\": \"%s\", \"run_type\": \"iteration\", \"repetition_index\": %zu, \"iterations\": 3, "
                    "\"real_time\": %.17g, \"cpu_time\": 1e9, \"time_unit\": \"us\", \"label\": \"NaN \\\"\"},",
                    rows->names[i], r, rows->time_of(i, r) * 1e6);
        fprintf(to,
                "{\"name\": \"%s_mean\", \"run_type\": \"aggregate\", \"aggregate_name\": \"mean\", \"real_time\": 5, "
                "\"time_unit\": \"us\"}%s",
                rows->names[i], i + 1 < rows->count ? "," : "]}");
    }
}

static void put_times(FILE *to, const struct foreign_rows *rows, size_t name)
{
    for (size_t r = 0; r < rows->times; r++)
        fprintf(to, "%s%.17g", r ? ", " : "[", rows->time_of(name, r));
    fputc(']', to);
}

void put_hyperfine(FILE *to, const struct foreign_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        fprintf(to, "%s{\"command\": \"%s\", \"mean\": 5, \"times\": ", i ? ", " : "{\"results\": [", rows->names[i]);
        put_times(to, rows, i);
        fputs(", \"exit_codes\": [0]}", to);
    }
    fputs("]}", to);
}

void put_pytest(FILE *to, const struct foreign_rows *rows)
{
    fputs("{\"machine_info\": {\"node\": \"alpha\"}, \"benchmarks\": [", to);
    for (size_t i = 0; i < rows->count; i++) {
        fprintf(to, "%s{\"name\": \"x\", \"fullname\": \"%s\", \"stats\": {\"min\": 5, \"ops\": Infinity, \"data\": ",
                i ? ", " : "", rows->names[i]);
        put_times(to, rows, i);
        fputs("}}", to);
    }
    fputs("]}", to);
}

/* With a file for each state, whose axes are the part of a name behind a slash. */
void put_nvbench(FILE *to, const struct foreign_rows *rows)
{
    fputs("{\"meta\": {}, \"devices\": [{\"id\": 0, \"name\": \"H100\"}], \"benchmarks\": [", to);
    char path[400];
    snprintf(path, sizeof path, "%s-bin", rows->path);
    mkdir(path, 0777);
    for (size_t i = 0; i < rows->count; i++) {
        snprintf(path, sizeof path, "%s-bin/%zu.bin", rows->path, i);
        FILE *samples = fopen(path, "wb");
        assert(samples);
        for (size_t r = 0; r < rows->times; r++) {
            float time = (float)rows->time_of(i, r);
            uint32_t bits;
            memcpy(&bits, &time, sizeof bits);
            for (int byte = 0; byte < 4; byte++, bits >>= 8)
                fputc((int)(bits & 255), samples);
        }
        fclose(samples);
        fprintf(
            to,
            "%s{\"name\": \"%s\", \"states\": [{\"name\": \"\", \"device\": 0, \"is_skipped\": false, \"summaries\": "
            "[{\"tag\": \"nv/cold/time/gpu/mean\", \"data\": [{\"name\": \"value\", \"type\": \"float64\", "
            "\"value\": \"%.17g\"}]}, {\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"data\": [{\"name\": "
            "\"filename\", \"value\": \"%s%s\"}, {\"name\": \"size\", \"value\": \"%zu\"}]}]}]}",
            i ? ", " : "", rows->names[i], rows->time_of(i, 0), rows->folder, path, rows->times);
    }
    fputs("]}", to);
}

void put_plain(FILE *to, const struct foreign_rows *rows)
{
    fputs("round,name,seconds\n", to);
    for (size_t r = 0; r < rows->times; r++)
        for (size_t i = 0; i < rows->count; i++)
            fprintf(to, "%zu,%s,%.17g\n", r, rows->names[i], rows->time_of(i, r));
}

void put_plain_of_device(FILE *to, const struct foreign_rows *rows)
{
    fputs("name,round,seconds,device,clock,sitting\n", to);
    for (size_t r = 0; r < rows->times; r++)
        for (size_t i = 0; i < rows->count; i++)
            fprintf(to, "%s,%zu,%.17g,H100,device,%s\n", rows->names[i], r, rows->time_of(i, r), rows->sitting);
}
