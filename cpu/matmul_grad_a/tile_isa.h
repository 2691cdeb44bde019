/* The inner loop of tuned.c for one instruction set, `struct tiles tiles_ISA`. cpu_each_isa.h includes this file and
 * explains ISA_... */

/* Rows per tile: two vectors of sums each, and the registers hold two vectors of B and a factor, too. */
#define ISA_ROWS (ISA_REGISTERS / 2 - 2)
#define VECTOR ISA_NAME(vector)
#define LOOSE ISA_NAME(loose)

static_assert(ISA_ROWS <= ROWS_MAX && 2 * ISA_LANES <= WIDTH_MAX, "a tile fits in a buffer");

/* VECTOR: aligned, in a packed panel. LOOSE: anywhere in a matrix. */
typedef float VECTOR __attribute__((vector_size(ISA_LANES * sizeof(float)), may_alias));
typedef float LOOSE __attribute__((vector_size(ISA_LANES * sizeof(float)), may_alias, aligned(sizeof(float))));

/* `rows` is a constant where this is inlined: then `sum` lives in registers. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(tile)(int rows, const struct tile *t)
{
    const float *dc = t->dc;
    const VECTOR *b = (const VECTOR *)t->b;
    VECTOR sum[ISA_ROWS][2];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i)
        sum[i][0] = sum[i][1] = (VECTOR){0};
    for (int64_t p = 0; p < t->n; ++p, ++dc, b += 2) {
        ISA_UNROLL
        for (int i = 0; i < rows; ++i) {
            sum[i][0] += dc[i * t->n] * b[0];
            sum[i][1] += dc[i * t->n] * b[1];
        }
    }
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        LOOSE *to = (LOOSE *)(t->da + i * t->da_row);
        to[0] = sum[i][0];
        to[1] = sum[i][1];
    }
}

static ISA_TARGET void ISA_NAME(rows)(const struct tile *t)
{
    ISA_NAME(tile)(ISA_ROWS, t);
}

static ISA_TARGET void ISA_NAME(row)(const struct tile *t)
{
    ISA_NAME(tile)(1, t);
}

static const struct tiles ISA_NAME(tiles) = {ISA_ROWS, 2 * ISA_LANES, ISA_NAME(rows), ISA_NAME(row)};

#undef VECTOR
#undef LOOSE
#undef ISA_ROWS
