/* Kernels' names as people write them. */
#include "kernels/backend/kernel_name.h"
#include "tests/unit.h"

#include <stdint.h>
#include <stdlib.h>

static void expect(const char *symbol, const char *expected)
{
    char *name = kernel_name(symbol);
    assert_non_null(name);
    assert_string_equal(name, expected);
    free(name);
}

TEST(a_function_loses_its_parameters)
{
    expect("_Z19matmul_tiled_kernelllljPKfS0_Pf", "matmul_tiled_kernel");
    expect("_Z2stPFffEPf", "st"); /* st(float (*)(float), float*) */
    expect("_ZN2ns1kEv", "ns::k");
}

TEST(a_template_loses_its_result_too)
{
    expect("_Z23grayscale_vector_kernelI5uint4EvllPKT_PS1_", "grayscale_vector_kernel<uint4>");
    expect("_ZN2ns1kILi3ELin4EEEvPfi", "ns::k<3, -4>");
    expect("_Z5voidyIPFvvEEvT_", "voidy<void (*)()>");
}

/* nvcc puts a hash of the file into its name. */
TEST(an_unnamed_namespace_has_no_hash)
{
    expect("_ZN34_GLOBAL__N__fe923bf4_4_f_cu__Z1ffi4anonEPf", "(anonymous namespace)::anon");
}

TEST(a_name_that_is_not_mangled_stays)
{
    expect("c_kernel", "c_kernel");
    expect("_Zwhat", "_Zwhat");
    expect("_Z3sum", "sum");
    expect("", "");
}
