/* Which rungs a GPU, and a build for it, can run. */
#include "bench/table/rung.h"
#include "kernels/backend/cuda_capability.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static void rungs_that_need_nothing_run_everywhere(void **state)
{
    (void)state;
    assert_null(cuda_capability_lacks(0, 75, 75, false));
    assert_null(cuda_capability_lacks(RUNG_UNORDERED | RUNG_SLOW, 80, 80, false));
}

static void rungs_for_hopper_run_on_it_and_on_what_came_after(void **state)
{
    (void)state;
    assert_null(cuda_capability_lacks(RUNG_HOPPER, 90, 90, false));
    assert_null(cuda_capability_lacks(RUNG_HOPPER, 120, 90, false));
    assert_null(cuda_capability_lacks(RUNG_HOPPER | RUNG_UNORDERED, 100, 100, false));
}

static void rungs_on_tensor_cores_run_from_ampere_on(void **state)
{
    (void)state;
    const unsigned traits[] = {RUNG_TF32, RUNG_TF32X3, RUNG_FP16X3 | RUNG_SLOW};
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++) {
        assert_null(cuda_capability_lacks(traits[i], 80, 80, false));
        assert_null(cuda_capability_lacks(traits[i], 120, 90, false));
        assert_string_equal(cuda_capability_lacks(traits[i], 75, 75, false),
                            "needs compute capability 8.0, and this GPU has 7.5");
    }
    assert_non_null(cuda_capability_lacks(RUNG_TF32X3 | RUNG_HOPPER, 80, 80, false));
}

static void rungs_with_wgmma_run_on_hopper_alone(void **state)
{
    (void)state;
    assert_null(cuda_capability_lacks(RUNG_WGMMA, 90, 90, true));
    assert_non_null(strstr(cuda_capability_lacks(RUNG_WGMMA, 90, 90, false), "CMAKE_CUDA_ARCHITECTURES"));
    assert_non_null(strstr(cuda_capability_lacks(RUNG_WGMMA, 100, 90, false), "only compute capability 9.0"));
    assert_string_equal(cuda_capability_lacks(RUNG_WGMMA | RUNG_TF32, 80, 80, false),
                        "needs compute capability 9.0, and this GPU has 8.0");
}

static void an_older_gpu_is_named(void **state)
{
    (void)state;
    assert_string_equal(cuda_capability_lacks(RUNG_HOPPER, 89, 80, false),
                        "needs compute capability 9.0, and this GPU has 8.9");
    assert_string_equal(cuda_capability_lacks(RUNG_HOPPER | RUNG_UNORDERED, 75, 75, false),
                        "needs compute capability 9.0, and this GPU has 7.5");
}

static void a_build_for_older_gpus_is_named(void **state)
{
    (void)state;
    assert_string_equal(cuda_capability_lacks(RUNG_HOPPER, 90, 80, false),
                        "needs compute capability 9.0, and this build is for 8.0 (see CMAKE_CUDA_ARCHITECTURES)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_that_need_nothing_run_everywhere),
        cmocka_unit_test(rungs_for_hopper_run_on_it_and_on_what_came_after),
        cmocka_unit_test(rungs_on_tensor_cores_run_from_ampere_on),
        cmocka_unit_test(rungs_with_wgmma_run_on_hopper_alone),
        cmocka_unit_test(an_older_gpu_is_named),
        cmocka_unit_test(a_build_for_older_gpus_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
