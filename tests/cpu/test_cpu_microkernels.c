/* The tiles of matmul_cpu_tuned, by every instruction set that this machine has and not by its best alone. */
#include "cpu/microkernels.h"

#include "cpu/backend/cpu_isa.h"
#include "tests/unit.h"

#include <string.h>

enum { K = 37, A_ROW = 41, B_ROW = 50, C_ROW = 45, ROWS = 2 * MR_MAX };

static float a[ROWS * A_ROW], b[K * B_ROW];

/* Small integers: their sums are exact in any order. */
static int prepare(void **state)
{
    for (int i = 0; i < ROWS * A_ROW; i++)
        a[i] = (float)(i * 7 % 13 - 6);
    for (int i = 0; i < K * B_ROW; i++)
        b[i] = (float)(i * 5 % 11 - 5);
    return 0;
}

static void assert_tile(const float *c, int rows, int columns, float before, bool add)
{
    for (int i = 0; i < MR_MAX; i++) {
        for (int j = 0; j < C_ROW; j++) {
            float expected = i < rows && j < columns ? (add ? before : 0) : before;
            for (int p = 0; i < rows && j < columns && p < K; p++)
                expected += a[i * A_ROW + p] * b[p * B_ROW + j];
            if (c[i * C_ROW + j] != expected)
                fail_msg("%d rows, %d columns: at %d, %d %g, expected %g", rows, columns, i, j,
                         (double)c[i * C_ROW + j], (double)expected);
        }
    }
}

/* A tile of every size, of A as it lies and of A packed, stored and added. */
static void tiles_are_right(const struct microkernels *kernels, bool packed)
{
    static _Alignas(64) float a_panel[MR_MAX * K], b_panel[NR_MAX * K], c[MR_MAX * C_ROW];
    for (int rows = 1; rows <= kernels->mr; rows++) {
        for (int columns = 1; columns <= 2 * kernels->lanes; columns++) {
            int vectors = columns > kernels->lanes ? 2 : 1;
            kernels->pack_a(rows, K, a, A_ROW, a_panel);
            kernels->pack_b(K, vectors, b, B_ROW, K * B_ROW, b_panel);
            for (int add = 0; add < 2; add++) {
                const float before = 1000.0F;
                for (int i = 0; i < MR_MAX * C_ROW; i++)
                    c[i] = before;
                struct tile tile = {.k = K,
                                    .a_row = A_ROW,
                                    .c_row = C_ROW,
                                    .a = packed ? a_panel : a,
                                    .b = b_panel,
                                    .c = c,
                                    .rows = rows,
                                    .columns = columns,
                                    .add = add,
                                    .ahead = !packed};
                if (packed)
                    kernels->packed[vectors - 1](&tile);
                else
                    kernels->direct[rows - 1][vectors - 1](&tile);
                assert_tile(c, rows, columns, before, add);
            }
        }
    }
}

TEST(every_instruction_set_is_right)
{
    assert_null(microkernels_of(isa_best() + 3));
    for (int isa = 0; isa <= isa_best(); isa++) {
        tiles_are_right(microkernels_of(isa), false);
        tiles_are_right(microkernels_of(isa), true);
    }
}

/* The last row of B may end where nothing may be read any more. */
TEST(packing_stays_within_the_matrix)
{
    for (int isa = 0; isa <= isa_best(); isa++) {
        const struct microkernels *kernels = microkernels_of(isa);
        const int width = 2 * kernels->lanes;
        const float exact[4] = {1, 2, 3, 99}; /* the last of which is beyond B */
        _Alignas(64) float panel[NR_MAX];
        memset(panel, 0xFF, sizeof panel);
        kernels->pack_b(1, 2, exact, 3, 3, panel);
        for (int j = 0; j < width; j++)
            assert_true(panel[j] == (j < 3 ? exact[j] : 0));
    }
}

AROUND_ALL_TESTS(prepare, NULL)
