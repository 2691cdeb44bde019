/* A library that looks like NVML to who opens it, and says what the test wants. */
#pragma once

struct fake_nvml {
    const char *failing; /* the name of a function that fails, with this status: */
    int failure;
    char used[2048]; /* names of the functions that were called, each once, between spaces */
    const char *bus_id;
    unsigned sm_clock, memory_clock, application_clock, max_clock;
    unsigned temperature, power_mw, enforced_mw, default_mw;
    unsigned long long energy_mj, reasons;
    unsigned ecc, mig;
    unsigned compute, mps; /* processes */
    int open;              /* nvmlInit() less nvmlShutdown() */
};
