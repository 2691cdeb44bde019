/* CSV with one line per compared row; unknown values are empty cells. scripts/plot.sh reads it. */
#include "bench/base/csv_text.h"
#include "gate_format.h"
#include "gate_report.h"

#include <math.h>

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

/* Writes a comma and the number. */
static void put_number(FILE *to, bool known, double value)
{
    fputc(',', to);
    if (known && isfinite(value))
        fprintf(to, "%.9g", value);
}

static void put_evidence(const struct compared_row *row, FILE *to)
{
    const struct evidence *e = &row->evidence;
    struct interval ends = gate_known_ends(e->interval);
    const double cells[] = {e->ratio,
                            ends.low,
                            ends.high,
                            e->base_s,
                            e->new_s,
                            (double)e->base_rounds,
                            (double)e->new_rounds,
                            e->limits.threshold,
                            e->limits.clear,
                            e->p_slower,
                            e->p_clear};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        put_number(to, row->has_evidence, cells[i]);
}

bool gate_write_csv(const struct gate_report *report, FILE *to)
{
    fputs(
        "name,verdict,ratio,ratio_low,ratio_high,base_s,new_s,base_rounds,new_rounds,threshold,clear,p_slower,p_clear,"
        "confirmed,slowed,reason,device,base_revision,new_revision,remark,same_code\n",
        to);
    if (report->error) {
        fputs("rungbench-gate,not compared,,,,,,,,,,,,no,no,", to);
        csv_put_text(to, report->error);
        fputs(",,,,,\n", to);
    }
    for (size_t i = 0; i < report->comparison->count; i++) {
        const struct compared_row *row = &report->comparison->rows[i];
        csv_put_text(to, row->name);
        fprintf(to, ",%s", verdict_name(row->verdict));
        put_evidence(row, to);
        fprintf(to, ",%s,%s,", yes_no(row->confirmed), yes_no(row->slowed));
        csv_put_text(to, row->reason);
        const char *const origin[] = {report->comparison->device, report->comparison->base_revision,
                                      report->comparison->new_revision};
        for (size_t o = 0; o < sizeof origin / sizeof origin[0]; o++) {
            fputc(',', to);
            csv_put_text(to, origin[o]);
        }
        fputc(',', to);
        csv_put_text(to, row->remark);
        fprintf(to, ",%s\n", row->code == CODE_UNKNOWN ? "" : yes_no(row->code == CODE_SAME));
    }
    return true;
}
