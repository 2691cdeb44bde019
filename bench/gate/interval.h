#ifndef RUNGBENCH_INTERVAL_H
#define RUNGBENCH_INTERVAL_H

/* From `low` to `high`, both included; infinite if not bounded. */
struct interval {
    double low, high;
};

#endif
