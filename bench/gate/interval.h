#ifndef RUNGBENCH_INTERVAL_H
#define RUNGBENCH_INTERVAL_H

/* From `low` to `high`, both within; infinite where nothing bounds it. */
struct interval {
    double low, high;
};

#endif
