/* Each tile and split of matmul cuda_fitted on all sizes that are verified, and on some with more tiles. On a GPU. */
#include "fitted_tiles.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

extern const struct op matmul_op;
static const struct backend_entry backend = {"cuda", "CUDA", true, false, &cuda_backend};
static struct rung rungs[FITTED_TILES];
static const struct registry registry = {&backend, 1, NULL, 0, rungs, FITTED_TILES};
static struct link *here;

/* Several tiles in both directions, the last of them not whole; parts of k that are not whole either, or empty. */
static const struct workload sizes[] = {
    {"257x131x259", {257, 131, 259}, 0}, {"257x132x260", {257, 132, 260}, 0},   {"130x7x516", {130, 7, 516}, 0},
    {"256x64x512", {256, 64, 512}, 0},   {"129x1000x257", {129, 1000, 257}, 0}, {"1030x20x1023", {1030, 20, 1023}, 0},
    {"17x5000x33", {17, 5000, 33}, 0},
};

static void assert_right(const struct check *check, int tile, const char *on)
{
    if (!check->correct)
        fail_msg("tile %dx%d, k shared by %d clusters of %d, %s: %s", fitted_tile_rows(&fitted_tiles[tile]),
                 fitted_tile_columns(&fitted_tiles[tile]), fitted_tiles[tile].clusters, fitted_tiles[tile].splits, on,
                 check->reason);
}

TEST(each_is_right_on_ragged_sizes)
{
    for (int tile = 0; tile < FITTED_TILES; tile++) {
        struct check check;
        verify_ragged(here, &rungs[tile], 7, &check);
        assert_right(&check, tile, "ragged");
    }
}

TEST(each_is_right_on_several_tiles)
{
    for (int tile = 0; tile < FITTED_TILES; tile++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct check check = here_verdict(&rungs[tile], &sizes[i], 5);
            assert_right(&check, tile, sizes[i].name);
        }
    }
}

static void make_rungs(void)
{
    for (int tile = 0; tile < FITTED_TILES; tile++)
        rungs[tile] = (struct rung){.variant = "cuda_fitted",
                                    .op = &matmul_op,
                                    .backend = &backend,
                                    .run = fitted_tiles[tile].run,
                                    .precision = PRECISION_FP32,
                                    .traits = RUNG_HOPPER};
}

static int set_up(void **state)
{
    make_rungs();
    here = here_open(&registry, &(struct backend_settings){.device = -1, .times_nothing = true}, host_now);
    return 0;
}

static int tear_down(void **state)
{
    here_close();
    return 0;
}

static int begin(int argc, char **argv)
{
    const struct backend_settings settings = {.device = -1, .times_nothing = true};
    const char *error = cuda_backend.open(&settings);
    error = error ? error : cuda_backend.lacks(RUNG_HOPPER);
    if (error) {
        printf("skipped: %s\n", error);
        return 77;
    }
    cuda_backend.close();
    return unit_choose(argc, argv);
}

BEGIN_WITH(begin)
AROUND_ALL_TESTS(set_up, tear_down)
