/* The tiles of tuned.c for one instruction set, `struct tiles tiles_ISA`. cpu_each_isa.h includes this file and
 * explains ISA_... */

/* `rows` and `vectors` are constants where this is inlined: then `sum` lives in registers. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(tile)(int rows, int vectors, const struct tile *t)
{
    VECTOR sum[ROWS][VECTORS], row[VECTORS];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i)
        sum[i][0] = sum[i][1] = (VECTOR){0};
    for (int64_t p = 0; p < t->k; ++p) {
        ISA_UNROLL
        for (int j = 0; j < vectors; ++j)
            row[j] = ((const LOOSE *)(t->b + p * t->n))[j];
        ISA_UNROLL
        for (int i = 0; i < rows; ++i) {
            ISA_UNROLL
            for (int j = 0; j < vectors; ++j)
                sum[i][j] += t->a[i * t->k + p] * row[j];
        }
    }
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int j = 0; j < vectors; ++j)
            ((LOOSE *)(t->c + i * t->n))[j] = sum[i][j];
    }
}

static ISA_TARGET void ISA_NAME(row_1)(const struct tile *t)
{
    ISA_NAME(tile)(1, 1, t);
}

static ISA_TARGET void ISA_NAME(row_2)(const struct tile *t)
{
    ISA_NAME(tile)(1, 2, t);
}

static ISA_TARGET void ISA_NAME(rows_1)(const struct tile *t)
{
    ISA_NAME(tile)(ROWS, 1, t);
}

static ISA_TARGET void ISA_NAME(rows_2)(const struct tile *t)
{
    ISA_NAME(tile)(ROWS, 2, t);
}

static const struct tiles ISA_NAME(tiles) = {
    ISA_LANES, {{ISA_NAME(row_1), ISA_NAME(row_2)}, {ISA_NAME(rows_1), ISA_NAME(rows_2)}}};
