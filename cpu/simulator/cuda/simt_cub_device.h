/* cub::DeviceReduce and cub::DeviceScan: one thread does it here. The first call, without storage, asks for its size.
 */
#pragma once

#include "simt_cub_warp.h"
#include "simt_launch.h"

namespace cub
{
namespace simt_detail
{
template <typename In, typename Out, typename T, typename F>
void reduce(In in, Out out, long long count, F change, T start)
{
    for (long long i = 0; i < count; i++)
        start = change(start, static_cast<T>(in[i]));
    *out = start;
}

template <typename In, typename Out>
void sums(In in, Out out, long long count, bool inclusive)
{
    typename std::decay<decltype(in[0])>::type sum = {};
    for (long long i = 0; i < count; i++) {
        const auto next = sum + in[i];
        out[i] = inclusive ? next : sum;
        sum = next;
    }
}

template <typename F, typename... A>
cudaError_t call(const char *name, void *storage, size_t &bytes, F function, A... arguments)
{
    if (storage)
        simt::start_function(name, function, arguments...);
    else
        bytes = 1;
    return cudaSuccess;
}
} // namespace simt_detail

struct DeviceReduce {
    template <typename In, typename Out, typename F, typename T>
    static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, long long count, F change, T start,
                              cudaStream_t = nullptr)
    {
        return simt_detail::call("DeviceReduce", storage, bytes, simt_detail::reduce<In, Out, T, F>, in, out, count,
                                 change, start);
    }
    template <typename In, typename Out>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, long long count, cudaStream_t = nullptr)
    {
        return Reduce(storage, bytes, in, out, count, cub::Sum(), typename std::decay<decltype(out[0])>::type());
    }
};

struct DeviceScan {
    template <typename In, typename Out>
    static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, long long count,
                                    cudaStream_t = nullptr)
    {
        return simt_detail::call("DeviceScan", storage, bytes, simt_detail::sums<In, Out>, in, out, count, true);
    }
    template <typename In, typename Out>
    static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, long long count,
                                    cudaStream_t = nullptr)
    {
        return simt_detail::call("DeviceScan", storage, bytes, simt_detail::sums<In, Out>, in, out, count, false);
    }
};
} // namespace cub
