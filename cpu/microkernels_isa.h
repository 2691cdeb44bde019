/* The micro-kernels of one instruction set, `struct microkernels microkernels_ISA`. cpu_each_isa.h includes this file
 * and explains ISA_... */

/* Rows per tile. */
#if ISA_LANES == 16
#define ISA_MR 14
#else
#define ISA_MR 6
#endif

static_assert(ISA_MR <= MR_MAX && 2 * ISA_LANES <= NR_MAX, "a tile fits tables and buffers");

/* One cache line per row at a time, because rows that are a large power of two apart evict each other from the cache.
 */
static ISA_TARGET void ISA_NAME(pack_a)(int64_t rows, int64_t k, const float *a, int64_t a_row, float *panels)
{
    for (; rows > 0; rows -= ISA_MR, a += ISA_MR * a_row, panels += ISA_MR * k) {
        for (int64_t start = 0; start < k; start += LINE_FLOATS) {
            int64_t end = start + LINE_FLOATS < k ? start + LINE_FLOATS : k;
            for (int64_t i = 0; i < ISA_MR; ++i)
                for (int64_t p = start; p < end; ++p)
                    panels[p * ISA_MR + i] = i < rows ? a[i * a_row + p] : 0.0F;
        }
    }
}

static ISA_TARGET void ISA_NAME(pack_b)(int64_t k, int vectors, const float *b, int64_t b_row, int64_t readable,
                                        float *panel)
{
    const int64_t width = vectors * ISA_LANES;
    for (int64_t p = 0; p < k; ++p, b += b_row, readable -= b_row, panel += width) {
        if (readable >= width) {
            for (int v = 0; v < vectors; ++v)
                ((VECTOR *)panel)[v] = ((const LOOSE *)b)[v];
        } else {
            for (int64_t j = 0; j < width; ++j)
                panel[j] = j < readable ? b[j] : 0.0F;
        }
    }
}

/* `rows`, `vectors` and `is_packed` are constants where this is inlined. So the loops over rows and vectors unroll, and
 * `sum` lives in registers. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(tile)(int rows, int vectors, bool is_packed,
                                                                            const struct tile *t)
{
    const bool is_whole = t->rows == rows && t->columns == vectors * ISA_LANES;
    const int64_t a_row = is_packed ? 1 : t->a_row, a_column = is_packed ? ISA_MR : 1;
    const int64_t c_row = t->c_row;
    const bool add = t->add, ahead = t->ahead;
    const float *a = t->a;
    const VECTOR *b = (const VECTOR *)t->b;
    float *c = t->c;
    VECTOR sum[ISA_MR][2];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v) {
            sum[i][v] = (VECTOR){0};
            /* Processors do not predict where the next tile of C lies. */
            if (is_packed && is_whole)
                __builtin_prefetch(c + i * c_row + v * ISA_LANES, 1);
        }
    }

    for (int64_t left = t->k, step; left > 0; left -= step) {
        step = left < LINE_FLOATS ? left : LINE_FLOATS;
        /* Nor do they prefetch so many short streams well: one line per row, for the next tile. */
        if (!is_packed && ahead) {
            ISA_UNROLL
            for (int i = 0; i < rows; ++i)
                __builtin_prefetch(a + (rows + i) * a_row, 0, 2);
        }
        for (int64_t p = 0; p < step; ++p, a += a_column, b += vectors) {
            ISA_UNROLL
            for (int i = 0; i < rows; ++i) {
                ISA_UNROLL
                for (int v = 0; v < vectors; ++v)
                    sum[i][v] += a[i * a_row] * b[v];
            }
        }
    }

    VECTOR outside[ISA_MR * 2];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v) {
            LOOSE *to = (LOOSE *)(c + i * c_row) + v;
            if (!is_whole)
                outside[i * vectors + v] = sum[i][v];
            else if (add)
                *to += sum[i][v];
            else
                *to = sum[i][v];
        }
    }
    if (!is_whole)
        store_part(t, (const float *)outside, vectors * ISA_LANES);
}

#define DIRECT(rows)                                                         \
    static ISA_TARGET void ISA_NAME(direct_##rows##x1)(const struct tile *t) \
    {                                                                        \
        ISA_NAME(tile)(rows, 1, false, t);                                   \
    }                                                                        \
    static ISA_TARGET void ISA_NAME(direct_##rows##x2)(const struct tile *t) \
    {                                                                        \
        ISA_NAME(tile)(rows, 2, false, t);                                   \
    }
#define DIRECT_ENTRY(rows) {ISA_NAME(direct_##rows##x1), ISA_NAME(direct_##rows##x2)},
#define EACH_ROWS_6(DO) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6)
#define EACH_ROWS_14(DO) EACH_ROWS_6(DO) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)
#define EACH_ROWS ISA_JOIN(EACH_ROWS, ISA_MR)

EACH_ROWS(DIRECT)

static ISA_TARGET void ISA_NAME(packed_x1)(const struct tile *t)
{
    ISA_NAME(tile)(ISA_MR, 1, true, t);
}

static ISA_TARGET void ISA_NAME(packed_x2)(const struct tile *t)
{
    ISA_NAME(tile)(ISA_MR, 2, true, t);
}

static const struct microkernels ISA_NAME(microkernels) = {
    .mr = ISA_MR,
    .lanes = ISA_LANES,
    .pack_a = ISA_NAME(pack_a),
    .pack_b = ISA_NAME(pack_b),
    .direct = {EACH_ROWS(DIRECT_ENTRY)},
    .packed = {ISA_NAME(packed_x1), ISA_NAME(packed_x2)},
};

#undef DIRECT
#undef DIRECT_ENTRY
#undef EACH_ROWS_6
#undef EACH_ROWS_14
#undef EACH_ROWS
#undef ISA_MR
