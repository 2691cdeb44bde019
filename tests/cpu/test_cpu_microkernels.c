/* The tiles of matmul_cpu_auto, by every instruction set that this machine has and not by its
 * best alone. */
#include "cpu/microkernels.h"

#include "cpu/backend/cpu_isa.h"
#include "tests/unit.h"

enum { K = 37, A_ROW = 41, B_ROW = 82, C_ROW = 77, TILES = 3, ROWS = TILES * MR_MAX };

static const float BEFORE = 1000.0F;
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

/* What lies behind a row that may be stored whole is not looked at, as far as `width`. */
static void assert_tile(const struct tile *t, int columns, float before, int width)
{
    const int64_t rows = t->rows * (t->stacked > 0 ? t->stacked : 1);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < C_ROW; j++) {
            const bool is_inside = i < rows && j < columns;
            if (i < t->whole_rows && j >= columns && j < width)
                continue;
            float expected = is_inside && !t->add ? 0 : before;
            for (int p = 0; is_inside && p < t->k; p++)
                expected += a[i * A_ROW + p] * b[p * B_ROW + j];
            if (t->c[i * C_ROW + j] != expected)
                fail_msg("%d rows, %d columns: at %d, %d %g, expected %g", (int)rows, columns, i, j,
                         (double)t->c[i * C_ROW + j], (double)expected);
        }
    }
}

static struct tile tile_of(int rows, int columns, bool add)
{
    static float c[ROWS * C_ROW];
    for (int i = 0; i < ROWS * C_ROW; i++)
        c[i] = BEFORE;
    return (struct tile){
        .k = K, .a_row = A_ROW, .c_row = C_ROW, .a = a, .c = c, .rows = rows, .columns = columns, .add = add};
}

/* A tile of every size, or a stack, of B as it lies, packed, and in part packed, stored and added. */
static void tiles_are_right(const struct microkernels *kernels)
{
    static _Alignas(64) float panel[NR_MAX * K];
    for (int rows = 1; rows <= kernels->mr; rows++) {
        for (int columns = 1; columns <= (rows <= WIDE_ROWS ? WIDE_VECTORS : 2) * kernels->lanes; columns++) {
            for (int packed = 0; packed <= K; packed += packed == 0 ? 1 : 18) {
                const int vectors = (columns + kernels->lanes - 1) / kernels->lanes, first = K - packed;
                struct tile tile = tile_of(rows, columns, packed % 2);
                kernels->pack_b(packed, vectors, b + (int64_t)first * B_ROW, B_ROW, (int64_t)packed * B_ROW, panel);
                tile.b = packed < K ? b : panel;
                tile.b_row = packed < K ? B_ROW : (int64_t)vectors * kernels->lanes;
                tile.rest = panel;
                tile.rest_rows = packed < K ? packed : 0;
                tile.next = rows % 2 ? a : NULL;
                tile.stacked = rows == kernels->mr ? columns % (TILES + 1) : 0;
                tile.whole_rows = tile.add ? 0 : columns * 5 % (rows * (tile.stacked > 0 ? tile.stacked : 1) + 1);
                (tile.stacked > 0 ? kernels->stacks : kernels->tiles[rows - 1])[vectors - 1](&tile);
                assert_tile(&tile, columns, BEFORE, vectors * kernels->lanes);
            }
        }
    }
}

static void outers_are_right(const struct microkernels *kernels)
{
    static _Alignas(64) float panel[NR_MAX * OUTER_DEPTH];
    for (int depth = 1; depth <= OUTER_DEPTH; depth++) {
        for (int columns = 1; columns <= 2 * kernels->lanes; columns++) {
            const int vectors = (columns + kernels->lanes - 1) / kernels->lanes;
            struct tile tile = tile_of(columns % ROWS + 1, columns, false);
            kernels->pack_b(depth, vectors, b, B_ROW, (int64_t)depth * B_ROW, panel);
            tile.k = depth;
            tile.b = panel;
            tile.b_row = (int64_t)vectors * kernels->lanes;
            tile.whole_rows = columns * 5 % (tile.rows + 1);
            kernels->outers[depth - 1][vectors - 1](&tile);
            assert_tile(&tile, columns, BEFORE, vectors * kernels->lanes);
        }
    }
}

static void dots_are_right(const struct microkernels *kernels)
{
    enum { PADDED = K + NR_MAX - (K + NR_MAX) % LINE_FLOATS };
    static _Alignas(64) float transposed[DOT_COLUMNS * PADDED];
    const int whole = K - K % kernels->lanes;
    for (int j = 0; j < DOT_COLUMNS; j++) {
        for (int p = 0; p < whole; p++)
            transposed[j * PADDED + p] = b[p * B_ROW + j];
        for (int lane = 0, p = K - kernels->lanes; lane < kernels->lanes; lane++, p++)
            transposed[j * PADDED + whole + lane] = p < whole ? 0 : b[p * B_ROW + j];
    }
    for (int many = 0; many < 2; many++) {
        for (int columns = 1; columns <= DOT_COLUMNS; columns++) {
            struct tile tile = tile_of(many ? kernels->dot_rows : 1, columns, false);
            tile.b = transposed;
            tile.b_row = PADDED;
            kernels->dots[many][columns - 1](&tile);
            assert_tile(&tile, columns, BEFORE, 0);
        }
    }
}

TEST(every_instruction_set_is_right)
{
    assert_null(microkernels_of(isa_best() + 3));
    for (int isa = 0; isa <= isa_best(); isa++) {
        tiles_are_right(microkernels_of(isa));
        outers_are_right(microkernels_of(isa));
        dots_are_right(microkernels_of(isa));
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
