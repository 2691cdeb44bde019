/* The reports of sanitizers, which do not know which simulated thread ran. */
#ifndef RUNGBENCH_SIM_REPORT_H
#define RUNGBENCH_SIM_REPORT_H

/* From now on reports name it, too. Nothing happens in a build without sanitizers. */
void sim_report_threads(void);

#endif
