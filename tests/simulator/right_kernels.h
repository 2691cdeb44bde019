/* Kernels that use what rungs use, each rightly, and what they answer: on a GPU and in the simulator, in every order.
 */
#pragma once

#include "c_linkage.h"

#include <stdint.h>

enum { RIGHT_INPUT = 4096 }; /* words */

/* X(name, words of output, their digest): one for all GPUs and the simulator. That of a new kernel is what the test
 * says that it saw, when it says the same of a GPU, and the words are what the kernel is meant to write. */
#define RIGHT_KERNELS(X)                                                                            \
    X(indices, 720, "0e68f2b19bd970b3dcb7967d1bb2417599316ecdcee0491477092f0f0bb8b7ad")             \
    X(shared_arrays, 576, "91566f77a12906dbc1331be85c63414cff6c1eb14e71004ff6f3ac1048c4d3e4")       \
    X(dynamic_shared, 240, "d90b1b72ea4d5b4762c7ac28534ee0895362dbb50f6f5c47ded67f763f711d79")      \
    X(templates, 10, "5c2b60cd357eb2dc2857e6c3eea871962c0a367f82c7f767abbc8b423ad1ac24")            \
    X(barriers, 400, "3e77579c29b3ce9463d5083ec6c773b3651ae694aa5107f7c5343bd5a88689f8")            \
    X(half_warps, 64, "f43d23474a35da3eb48be198c4375d50befbe0997877a0f0c55035e384133024")           \
    X(votes, 320, "a3babbb3068d1985e7cf46b5202b875b3d3eac91c0264379a105989220c67da0")               \
    X(early_exit, 123, "fea92bf44c59d201b477e2ecdc80a7596427fc7cdd85de11996404f18981a0ff")          \
    X(ended_before_barrier, 40, "2bea708886601b531e10d39f98277c099573451cbdf5f262e438da7be94c9672") \
    X(lanes_in_space, 400, "3f3d6ed0a665df4e4ed794f2f36211b85384183eb238a7026a18bd385fe608be")      \
    X(tensor_cores, 640, "94e1348859520b2933c5c7e70e386b0ba3e59fc93127336b53e4151a61013dba")        \
    X(shuffles_float, 768, "422eb3868ea366e47a5a657b8a5aefd74e7557126fe5d388220562ecba38ce15")      \
    X(shuffles_double, 1536, "5cf46afa293ced6205def72911b85692e7b5b3ee743b0d06f090a985bd91cc37")    \
    X(atomics, 332, "f18ad1d71ac8a25ad4e41b35b0b4381c0e1383cdd4f9252f76bcc16fd5c28882")             \
    X(alignment, 60, "e7313a1096fce5c7d0394ecbbdcb45e5fd0ed40b8ddd939be0b0569abf273e0d")            \
    X(vectors, 224, "eae23df673881382e8e470b90c37a80a47ac01fefe94cab452719096df841cf0")             \
    X(hints, 320, "55fc6f1cf165d41b1e1c240d46cd3f386762eaaa2c65bef740ad76b5fbc53d8b")               \
    X(arithmetic, 448, "b7542e18a4a189d2affe988c5739eecaa33fb48d0e32c6085e56a2ef6cb6b598")          \
    X(copies, 704, "a65b92e7ebfbcc7768edbfc3215d1777864a142cbc5609de80259ab5346c6acf")              \
    X(language, 128, "898148ffda3e9faff46e7264984584bf35bd859936ecf08d18611a46f8b66b26")            \
    X(early, 128, "4127c2d6bff0f0ac5b51b8e51bac8e83dd1738f03b28b0a3ae936d2f0931f6a2")               \
    X(halves, 2560, "7ede7779cd7b9d5620256be782d16ac7fac070eda250691ab02d0611b3945c87")             \
    X(bfloats, 1792, "01d1d64d07e60056d9d757d53139b7cdb935ba79fd101e19deb2018b8b477596")            \
    X(cooperative, 512, "97316c9d666d4cd5a5b9f5899ffde483afa64898f7b2bd0044c94865826c4db2")         \
    X(primitives, 261, "7e4d2d54cdfb4616c64a7cc695a64039577b075b0e9098be6fdc6ec2095ec4a0")          \
    X(fragments, 256, "d12756d353bb10682dc2ad9f12d468ab6268cf160370b22c5b78e6eebc6e044a")           \
    X(integers, 64, "82bc57a4e1f770effcf7d283c5ce24eab647e7959f78bc78f7cd9a0239937817")             \
    X(floats, 64, "fa75ab7eaa479bad73f2965febba825e8e8775ac759d1ea3b7aa53b348f2cea7")               \
    X(warps, 192, "51f677549976da90296340d92dcb04244bb7b28b6238913d3e47ec10fcfa88e6")               \
    X(runtime, 64, "904fe00e95943867799756adae63f2b417c02b00d223fe2986e98a4a982f6233")              \
    X(ptx_integers, 2048, "1203517d4419a5ace7bd76d26c0897069087717f55f85454aa9f54fb2fd01ab9")       \
    X(ptx_floats, 2048, "2cec88b3132fe6f61c5e9f2cce4deb219bc8c2b5227ae0a0b8f15f573cf51690")         \
    X(ptx_products, 1024, "bc363b3d93245180d5813b7b8a7f173a4c7fa4121cb0b4c7f7db7f5fef6d9bb4")       \
    X(ptx_roundings, 512, "cd988ef5b9d0ce8387185115a97843b2f106b4a1cf9d19f7f461ebf36a3c35fd")

/* On a GPU, of compute capability 9.0 alone. */
#define RIGHT_HOPPER_KERNELS(X)                                                                   \
    X(ptx_memory, 2048, "2308feab784c8f9c41fce85fbf5923861de98e16cd5488ef47797e7ee05fa98a")       \
    X(ptx_clusters, 512, "00133b3a11aa1face1506620e88d1cde116c57214801487f32e346d83e3fd1c2")      \
    X(ptx_warpgroups, 1024, "94e1c54d9b99765615dfd1dbdb9086f42ccc8317b7d9158d7a6b88cf86ededd1")   \
    X(ptx_across, 512, "73e022dde782ca9bc40d158f13a2b5ad407e2b353a8bd139d4adf317e75c1a17")        \
    X(ptx_half_across, 512, "80b691350f0aba796187e819a0ed1d726cf57e7dee2e05139b5e4e023ec6b7c1")   \
    X(ptx_eights, 2048, "9114ff024d8dcc4e943d9214597fb76310a614c59e3d553ed0d3ee6fde8352bc")       \
    X(tensor_boxes, 7168, "ec86c42a39d9e408607a9e30e9c403821bae61330722939ff15fc514ebcb3c35")     \
    X(tensor_multicast, 1280, "ff8c630cbd1db9812a948bc264f4b28afd637e65252ec184c051263cfd64f981") \
    X(tensor_barriers, 832, "0bdd638a2ebc09aac2bc3e7847ce3cab87c739ceb3988e71081d087f2194b57c")   \
    X(tensor_checks, 32, "713c1d91da96b904ff01549e4e9ff0d0c39cea363d37809c4838cfbf1716e191")

#ifdef __cplusplus
/* Launches the kernel of that name on the stream. */
#define RIGHT(name, grid, block, shared)                                      \
    const char *right_##name(const uint32_t *in, uint32_t *out, void *stream) \
    {                                                                         \
        LAUNCH(name, grid, block, shared, (cudaStream_t)stream, in, out);     \
        return launch_error(__func__);                                        \
    }
#endif

C_BEGIN

/* The launchers write all words of the output. */
#define RIGHT_KERNEL(name, ...) const char *right_##name(const uint32_t *in, uint32_t *out, void *stream);
RIGHT_KERNELS(RIGHT_KERNEL)
RIGHT_HOPPER_KERNELS(RIGHT_KERNEL)
#undef RIGHT_KERNEL

C_END
