/* Occupancies worked out by hand from the limits of a multiprocessor: threads, registers (64 Ki, given to warps by
 * 256), shared memory (a block takes 1 KiB more than it asks for), blocks, and from 9.0 on the barriers. */
#include "kernels/resources/occupancy.h"
#include "tests/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

static struct ptxas_kernel kernel_for(const char *arch, int registers)
{
    struct ptxas_kernel kernel = {.registers = registers};
    snprintf(kernel.arch, sizeof kernel.arch, "%s", arch);
    return kernel;
}

TEST(a_multiprocessor_that_can_hold_most_warps_holds_so_many)
{
    static const struct {
        const char *arch;
        int registers, barriers;
        size_t static_bytes, dynamic_bytes;
        unsigned threads;
        int warps, most;
    } cases[] = {
        {"sm_90a", 32, 0, 0, 0, 256, 64, 64},
        {"sm_90a", 33, 0, 0, 0, 256, 48, 64},  /* 40 a thread: 6 blocks */
        {"sm_90a", 36, 0, 0, 0, 1024, 32, 64}, /* and 1 of 32 warps */
        {"sm_90a", 255, 0, 0, 0, 256, 8, 64},
        {"sm_86", 40, 0, 0, 0, 256, 48, 48},
        {"sm_120", 48, 0, 0, 0, 256, 40, 48},
        {"sm_80", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 4, 64}, /* 33 KiB a block */
        {"sm_86", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 3, 48},
        {"sm_89", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 3, 48},
        {"sm_90a", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 6, 64},
        {"sm_100", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 6, 64},
        {"sm_103", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 6, 64},
        {"sm_120", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 3, 48},
        {"sm_121", 32, 0, 16 * KIB, 16 * KIB, 256, 8 * 3, 48},
        {"sm_80", 16, 0, 0, 0, 32, 32, 64},   /* 32 blocks */
        {"sm_86", 16, 0, 0, 0, 32, 16, 48},   /* 16 */
        {"sm_86", 16, 0, 0, 0, 1024, 32, 48}, /* half a block is none */
        {"sm_80", 16, 0, 0, 0, 33, 64, 64},   /* a warp of one thread is a warp */
        {"sm_90a", 16, 16, 0, 0, 256, 32, 64},
        {"sm_120", 16, 16, 0, 0, 256, 8, 48},
        /* What cannot be launched, and what just can. */
        {"sm_90a", 32, 0, 0, 0, 1025, 0, 64},
        {"sm_90a", 32, 0, 0, 0, 0, 0, 64},
        {"sm_90a", 32, 0, 0, 227 * KIB, 256, 8, 64},
        {"sm_90a", 32, 0, 0, 227 * KIB + 1, 256, 0, 64},
        {"sm_86", 32, 0, 0, 99 * KIB, 256, 8, 48},
        {"sm_86", 32, 0, 0, 99 * KIB + 1, 256, 0, 48},
        {"sm_90a", 128, 0, 0, 0, 1024, 0, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ptxas_kernel kernel = kernel_for(cases[i].arch, cases[i].registers);
        struct error error;
        double pct = -1;
        kernel.barriers = cases[i].barriers;
        kernel.static_shared_bytes = cases[i].static_bytes;
        assert_true(occupancy_pct(&kernel, cases[i].threads, cases[i].dynamic_bytes, &pct, &error));
        if (fabs(pct - 100.0 * cases[i].warps / cases[i].most) > 1e-9)
            fail_msg("case %zu: %g %%, expected %d of %d warps", i, pct, cases[i].warps, cases[i].most);
    }
}

TEST(an_architecture_may_be_unknown)
{
    static const char *const names[] = {"sm_75", "sm_9", "90a", "", "compute_90"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ptxas_kernel kernel = kernel_for(names[i], 16);
        struct error error;
        double pct;
        assert_false(occupancy_pct(&kernel, 256, 0, &pct, &error));
        assert_non_null(strstr(error.text, "its multiprocessor is not known"));
    }
}
