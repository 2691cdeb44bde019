/* Kernels' names as people write them. */
#include "bench/base/symbol_name.h"
#include "tests/unit.h"

/* Functions lose their parameters, templates their results too, and unnamed namespaces the hash of the file that nvcc
 * puts into their names. What is not mangled stays. */
TEST(names_are_as_people_write_them)
{
    static const char *const names[][2] = {
        {"_Z19matmul_tiled_kernelllljPKfS0_Pf", "matmul_tiled_kernel"},
        {"_Z2stPFffEPf", "st"}, /* st(float (*)(float), float*) */
        {"_ZN2ns1kEv", "ns::k"},
        {"_Z23grayscale_vector_kernelI5uint4EvllPKT_PS1_", "grayscale_vector_kernel<uint4>"},
        {"_ZN2ns1kILi3ELin4EEEvPfi", "ns::k<3, -4>"},
        {"_Z5voidyIPFvvEEvT_", "voidy<void (*)()>"},
        {"_ZN34_GLOBAL__N__fe923bf4_4_f_cu__Z1ffi4anonEPf", "(anonymous namespace)::anon"},
        {"c_kernel", "c_kernel"},
        {"_Zwhat", "_Zwhat"},
        {"_Z3sum", "sum"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *name = symbol_function(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}
