#include "cuda_nvml.h"

#include "bench/table/rung.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* While the control daemon of MPS runs, every CUDA program goes through MPS. The folder of its pipes is documented
 * ("Multi-Process Service", CUDA_MPS_PIPE_DIRECTORY); the name of the pipe, `control`, is not. */
static bool mps_daemon_is_there(void)
{
    const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/control", folder && folder[0] ? folder : "/tmp/nvidia-mps");
    return stat(path, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static bool launches_wait(void)
{
    const char *setting = getenv("CUDA_LAUNCH_BLOCKING");
    return setting && setting[0] && strcmp(setting, "0") != 0;
}

void cuda_add_notes(struct device_info *info, const char *nvml_error, const struct cuda_nvml_facts *facts,
                    int mps_processes, int others)
{
    if (nvml_error) /* no mark: the times are right all the same */
        device_info_add_note(info, "",
                             "NVML cannot be opened (%.128s), so clocks, throttling, temperature and power are unknown",
                             nvml_error);
    if (facts->mig == 1)
        device_info_add_note(info, "mig",
                             "the GPU is in MIG mode: rows measure a part of it, and others may use the other parts");
    if (mps_processes > 0 || mps_daemon_is_there())
        device_info_add_note(info, "mps",
                             "the GPU is shared through MPS: other processes' kernels may run between and beside ours");
    if (facts->ecc == 0)
        device_info_add_note(info, "ecc-off",
                             "ECC is off, which makes memory faster on some GPUs: compare only with rows without ECC");
    if (facts->power_limit_w < facts->power_limit_default_w)
        device_info_add_note(info, "power-limit",
                             "the power limit is %g W instead of the default %g W, which lowers clocks under load",
                             facts->power_limit_w, facts->power_limit_default_w);
    if (others > 0)
        device_info_add_note(info, "other-work", "%d other %s the GPU", others,
                             others == 1 ? "process uses" : "processes use");
    if (launches_wait())
        device_info_add_note(info, "launch-blocking",
                             "CUDA_LAUNCH_BLOCKING is set, so the host waits for each launch: all times are wrong");
}

/* Compute capability times 10. */
static int needed_by(unsigned traits)
{
    if (traits & (RUNG_HOPPER | RUNG_WGMMA))
        return 90;
    return traits & (RUNG_TF32 | RUNG_TF32X3 | RUNG_FP16X3) ? 80 : 0;
}

const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for, bool has_wgmma)
{
    static char text[128];
    int needed = needed_by(traits);
    if ((traits & RUNG_BF16X9) && capability != 100 && capability != 103)
        return "cuBLAS emulates FP32 in BF16 on GPUs of compute capability 10.0 and 10.3, no others";
    if ((traits & RUNG_WGMMA) && capability >= 90 && !has_wgmma)
        return "needs the wgmma instructions of compute capability 9.0, built for 9.0a (see CMAKE_CUDA_ARCHITECTURES)";
    if (capability >= needed && compiled_for >= needed)
        return NULL;
    snprintf(text, sizeof text,
             "needs compute capability %d.%d; this GPU has %d.%d, the build %d.%d (see CMAKE_CUDA_ARCHITECTURES)",
             needed / 10, needed % 10, capability / 10, capability % 10, compiled_for / 10, compiled_for % 10);
    return text;
}
