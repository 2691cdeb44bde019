#include "cpu_energy.h"

#include "cpu_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double package_number(const char *root, int package, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/%s", package, name);
    return cpu_file_number(root, path, "", NAN);
}

/* AMD's driver uses the same names. Zones of another kind, such as "psys" for the whole computer, contain packages. */
static bool is_package(const char *root, int package)
{
    char path[96], name[32];
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/name", package);
    cpu_file_text(root, path, name, sizeof name);
    return strncmp(name, "package", strlen("package")) == 0;
}

double cpu_energy_read(const char *root, struct cpu_energy *energy)
{
    bool found = false;
    if (is_package(root, CPU_PACKAGES_MAX)) /* more than are kept */
        return NAN;
    for (int package = 0; package < CPU_PACKAGES_MAX; package++) {
        if (!is_package(root, package))
            continue;
        double now_uj = package_number(root, package, "energy_uj"), used_uj = now_uj - energy->last_uj[package];
        if (isnan(now_uj))
            return NAN;
        if (used_uj < 0)
            used_uj += package_number(root, package, "max_energy_range_uj");
        if (energy->started)
            energy->total_uj += used_uj;
        energy->last_uj[package] = now_uj;
        found = true;
    }
    energy->started = energy->started || found;
    return found ? 1e-6 * energy->total_uj : NAN;
}
