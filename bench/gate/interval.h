#pragma once

/* From `low` to `high`, both included; infinite if not bounded. */
struct interval {
    double low, high;
};
