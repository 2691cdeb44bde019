/* Tensor cores as CUDA C++ has them: Programming Guide, "Warp Matrix Functions". Which lane holds which elements is
 * unspecified there. Here a lane has as many consecutive ones of a matrix by rows. Sums: sim_mma.h, 16 products of FP16
 * and bfloat16 in one go, 8 of TF32; FP16 sums are rounded to the nearest after that. */
#pragma once

#include "cpu/simulator/sim_mma.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
} // namespace precision

namespace simt_detail
{
template <typename T>
struct element { /* how one is kept */
    using type = T;
};
template <>
struct element<precision::tf32> {
    using type = float;
};

template <typename Use, int M, int N, int K>
struct extent {
    static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
    static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
};

/* Tensor cores do not look at the last 13 bits of a TF32 factor. */
template <typename Format, typename T>
SIMT_PLAIN double factor(T value)
{
    if (std::is_same<Format, precision::tf32>::value)
        return (double)simt::bits_as<float>(simt::bits_as<uint32_t>((float)value) & 0xFFFFE000u);
    return static_cast<double>(static_cast<float>(value));
}

/* "256-bit aligned", and rows of multiples of 16 bytes, says the guide. */
inline void check_memory(sim_place place, const char *operation, const void *memory, size_t row_bytes)
{
    (void)sim_warp_whole(place, operation, 0);
    if (reinterpret_cast<uintptr_t>(memory) % 32 != 0)
        sim_stop(place, "calls %s with an address that is no multiple of 32", operation);
    if (row_bytes % 16 != 0)
        sim_stop(place, "calls %s with rows or columns %zu bytes apart, expected a multiple of 16", operation,
                 row_bytes);
}
} // namespace simt_detail

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
struct fragment {
    static_assert((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32), "16x16, 32x8 or 8x32");
    static_assert(K == (std::is_same<T, precision::tf32>::value ? 8 : 16) ||
                      (std::is_same<T, float>::value && K == 8 && M == 16),
                  "a depth of 16, of TF32 8");
    using element_type = typename simt_detail::element<T>::type;
    using storage_element_type = element_type;
    static constexpr int rows = simt_detail::extent<Use, M, N, K>::rows;
    static constexpr int columns = simt_detail::extent<Use, M, N, K>::columns;
    static constexpr int num_elements = rows * columns / SIM_WARP, num_storage_elements = num_elements;
    element_type x[num_elements];
};

template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
SIMT_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &to, const V &value)
{
    for (auto &x : to.x)
        x = static_cast<typename fragment<Use, M, N, K, T, Layout>::element_type>(value);
}

namespace simt_detail
{
/* Each lane moves its elements, which lie `ldm` apart from row to row or from column to column. */
template <typename Fragment, typename T, typename Move>
SIMT_PLAIN void each_element(sim_place place, T *memory, unsigned ldm, bool by_columns, Move move)
{
    constexpr bool is_load = std::is_const<T>::value;
    const char *operation = is_load ? "load_matrix_sync" : "store_matrix_sync";
    check_memory(place, operation, memory, ldm * sizeof(T));
    for (int i = 0; i < Fragment::num_elements; i++) {
        const unsigned number = simt::lane() * Fragment::num_elements + (unsigned)i;
        const size_t row = number / Fragment::columns, column = number % Fragment::columns;
        T *at = memory + (by_columns ? column * ldm + row : row * ldm + column);
        sim_access_begin(place, operation, at, sizeof(T), !is_load);
        move(i, at);
        sim_access_end();
    }
    sim_warp_exchange(place, operation, UINT32_MAX, 0);
}

template <typename Fragment, typename T>
SIMT_PLAIN void load(sim_place place, Fragment &to, const T *from, unsigned ldm, bool by_columns)
{
    each_element<Fragment>(place, from, ldm, by_columns, [&](int i, const T *at) SIMT_PLAIN { to.x[i] = *at; });
}
} // namespace simt_detail

template <typename Use, int M, int N, int K, typename T, typename Layout>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to, const typename simt_detail::element<T>::type *from,
                      unsigned ldm, SIMT_CALLER)
{
    static_assert(!std::is_void<Layout>::value, "an accumulator is loaded with mem_row_major or mem_col_major");
    simt_detail::load({file, line}, to, from, ldm, std::is_same<Layout, col_major>::value);
}

template <int M, int N, int K, typename T>
void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from, unsigned ldm, layout_t layout, SIMT_CALLER)
{
    simt_detail::load({file, line}, to, from, ldm, layout == mem_col_major);
}

template <int M, int N, int K, typename T>
void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from, unsigned ldm, layout_t layout, SIMT_CALLER)
{
    simt_detail::each_element<fragment<accumulator, M, N, K, T>>({file, line}, to, ldm, layout == mem_col_major,
                                                                 [&](int i, T *at) SIMT_PLAIN { *at = from.x[i]; });
}

namespace simt_detail
{
/* What a lane brings. */
template <typename D, typename A, typename B, typename C>
struct operands {
    D *d;
    const A *a;
    const B *b;
    const C *c;
};

template <typename T, typename C>
SIMT_PLAIN auto add(const double a[], const double b[], unsigned depth, C c)
{
    if constexpr (std::is_integral<T>::value) {
        int64_t sum = c;
        for (unsigned p = 0; p < depth; p++)
            sum += (int64_t)(a[p] * b[p]);
        return (int)(uint32_t)sum;
    } else
        return sim_mma_sum(SIM_MMA_FP16, a, b, depth, static_cast<double>(static_cast<float>(c)));
}

template <typename T, typename D, typename A, typename B, typename C>
SIMT_PLAIN void multiply(const operands<D, A, B, C> *const lanes[SIM_WARP])
{
    constexpr unsigned each = D::num_elements;
    double a[A::rows][A::columns], b[B::columns][B::rows];
    for (unsigned i = 0; i < A::rows * A::columns; i++)
        a[i / A::columns][i % A::columns] = factor<T>(lanes[i / A::num_elements]->a->x[i % A::num_elements]);
    for (unsigned i = 0; i < B::rows * B::columns; i++)
        b[i % B::columns][i / B::columns] = factor<T>(lanes[i / B::num_elements]->b->x[i % B::num_elements]);
    for (unsigned i = 0; i < each * SIM_WARP; i++)
        lanes[i / each]->d->x[i % each] = static_cast<typename D::element_type>(
            add<T>(a[i / D::columns], b[i % D::columns], A::columns, lanes[i / each]->c->x[i % each]));
}
} // namespace simt_detail

/* The first lane computes the results of all, and the others wait for it. */
template <int M, int N, int K, typename D, typename T, typename LayoutA, typename LayoutB, typename C>
SIMT_PLAIN void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                         const fragment<matrix_b, M, N, K, T, LayoutB> &b, const fragment<accumulator, M, N, K, C> &c,
                         SIMT_CALLER)
{
    using operands = simt_detail::operands<fragment<accumulator, M, N, K, D>, fragment<matrix_a, M, N, K, T, LayoutA>,
                                           fragment<matrix_b, M, N, K, T, LayoutB>, fragment<accumulator, M, N, K, C>>;
    const operands own = {&d, &a, &b, &c}, *lanes[SIM_WARP];
    const uint64_t *heard = sim_warp_whole({file, line}, "mma_sync", reinterpret_cast<uintptr_t>(&own));
    for (int lane = 0; lane < SIM_WARP; lane++)
        lanes[lane] = reinterpret_cast<const operands *>(heard[lane]);
    if (simt::lane() == 0)
        simt_detail::multiply<T>(lanes);
    sim_warp_exchange({file, line}, "mma_sync", UINT32_MAX, 0);
}

SIMT_RETURNS(float, __float_to_tf32, (float x), simt::bits_as<float>(sim_tf32_round(x)))
} // namespace wmma
} // namespace nvcuda

using nvcuda::wmma::__float_to_tf32;
