/* Usage: two_runs BASE NEW
 * Is what took the times in NEW slower than what took those in BASE? A file has a time per line, each of a process of
 * its own. Exit status, as of rungbench-gate: 0 no, 1 yes, 2 bad input, 3 nobody knows. */
#include <rungbench.h>

#include <math.h>
#include <stdio.h>

enum { TIMES_MAX = 10000, SLOWER = 1, BAD_INPUT = 2, INCONCLUSIVE = 3 };

/* How many there are; 0, with a message: none, or not all lines are times. */
static size_t read_times(const char *path, double *times)
{
    FILE *file = fopen(path, "r");
    size_t count = 0;
    while (file && count < TIMES_MAX && fscanf(file, "%lf", &times[count]) == 1 && times[count] > 0 &&
           isfinite(times[count]))
        count++;
    const bool ok = file && feof(file) && count > 0;
    if (file)
        fclose(file);
    if (!ok)
        fprintf(stderr, "two_runs: %s: expected a time above 0 per line, saw %zu\n", path, count);
    return ok ? count : 0;
}

int main(int argc, char **argv)
{
    static double base[TIMES_MAX], other[TIMES_MAX];
    if (argc != 3) {
        fputs("Usage: two_runs BASE NEW\n", stderr);
        return BAD_INPUT;
    }
    const size_t base_count = read_times(argv[1], base), other_count = base_count ? read_times(argv[2], other) : 0;
    if (other_count == 0)
        return BAD_INPUT;
    struct decision row = {.is_open = true};
    row.evidence = evidence_of_samples(base, base_count, other, other_count, 0, limits_from(0.03), 42);
    rule_decide(&row, 1, RULE_FILES_LEVEL);
    printf("%s: new / base is %.3f, and from %.3f to %.3f with 95 %% confidence\n", verdict_name(row.verdict),
           row.evidence.ratio, row.evidence.interval.low, row.evidence.interval.high);
    return row.verdict == VERDICT_SLOWER ? SLOWER : row.verdict == VERDICT_INCONCLUSIVE ? INCONCLUSIVE : 0;
}
