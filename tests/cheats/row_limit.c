/* The program of the cheats gives up on a row sooner: what takes minutes at most elsewhere takes seconds here. */
double __wrap_stopping_row_limit_s(double min_time_s, double flops);

double __wrap_stopping_row_limit_s(double min_time_s, double flops)
{
    const double limit_s = 30;
    (void)min_time_s;
    (void)flops;
    return limit_s;
}
