/* The micro-kernels of one instruction set, `struct microkernels microkernels_ISA`. cpu_each_isa.h includes this file
 * and explains ISA_... */

/* Rows per tile, and per group of dot products. */
#if ISA_LANES == 16
#define ISA_MR 14
#define ISA_DOT_ROWS 6
#else
#define ISA_MR 6
#define ISA_DOT_ROWS 3
#endif

static_assert(ISA_MR <= MR_MAX && WIDE_VECTORS * ISA_LANES <= NR_MAX, "a tile fits tables and buffers");

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

/* Stores one vector per row, of which only `columns` elements lie inside C: a half, a quarter, ..., as they add up to
 * so many. Inlined, it makes GCC 12 keep sums of the loops before it in memory, and compile for long. */
static __attribute__((noinline)) ISA_TARGET void ISA_NAME(store_parts)(int rows, int columns, const VECTOR *sums,
                                                                       bool add, float *c, int64_t c_row)
{
    for (int i = 0; i < rows; ++i, c += c_row) {
        const float *from = (const float *)&sums[i];
        float *to = c;
        ISA_UNROLL
        for (int part = ISA_LANES / 2; part > 0; part /= 2) {
            if (!(columns & part))
                continue;
            ISA_UNROLL
            for (int j = 0; j < part; ++j)
                to[j] = add ? to[j] + from[j] : from[j];
            to += part;
            from += part;
        }
    }
}

static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(add_row)(int rows, int vectors, const float *a,
                                                                               int64_t a_row, const float *b,
                                                                               int64_t b_ahead,
                                                                               VECTOR (*sum)[WIDE_VECTORS])
{
    ISA_UNROLL
    for (int v = 0; v < vectors; v += 2)
        __builtin_prefetch(b + b_ahead + v * ISA_LANES);
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v)
            sum[i][v] += a[i * a_row] * ((const LOOSE *)b)[v];
    }
}

/* `rows` and `vectors` are constants where this is inlined. So the loops over them unroll, and `sum` lives in
 * registers.
 */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(tile)(int rows, int vectors, bool fetches_c,
                                                                            const struct tile *t)
{
    const int64_t a_row = t->a_row, c_row = t->c_row, b_ahead = t->b_ahead;
    const bool add = t->add;
    const float *a = t->a, *b = t->b, *next = t->next;
    int64_t b_row = t->b_row;
    float *c = t->c;
    /* Few sums are two each, or the next product would wait for the last. */
    const int chains = rows * vectors <= FEW_SUMS ? 2 : 1;
    VECTOR sum[ISA_MR][WIDE_VECTORS], other[ISA_MR][WIDE_VECTORS];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v) {
            sum[i][v] = other[i][v] = (VECTOR){0};
            /* Processors do not predict where the next tile of C lies. */
            if (fetches_c)
                __builtin_prefetch(c + i * c_row + v * ISA_LANES, 1);
        }
    }

    for (int64_t left = t->k, step; left > 0; left -= step) {
        step = left > t->rest_rows ? left - t->rest_rows : left;
        step = step < LINE_FLOATS ? step : LINE_FLOATS;
        if (left == t->rest_rows) {
            b = t->rest;
            b_row = vectors * ISA_LANES;
        }
        /* Nor do they prefetch so many short streams well: one line per row, for the next tile. */
        if (next) {
            ISA_UNROLL
            for (int i = 0; i < rows; ++i)
                __builtin_prefetch(next + i * t->next_row, 0, 2);
            next += LINE_FLOATS;
        }
        for (int64_t p = 0; p < step; ++p, ++a, b += b_row) {
            ISA_NAME(add_row)(rows, vectors, a, a_row, b, b_ahead, sum);
            if (chains == 2 && p + 1 < step) {
                ++p, ++a, b += b_row;
                ISA_NAME(add_row)(rows, vectors, a, a_row, b, b_ahead, other);
            }
        }
    }
    ISA_UNROLL
    for (int i = 0; i < rows && chains == 2; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v)
            sum[i][v] += other[i][v];
    }

    const int last = t->columns - (vectors - 1) * ISA_LANES; /* columns of the last vector */
    int whole = rows;                                        /* so many rows are stored whole */
    if (last < ISA_LANES && t->whole_rows < rows)
        whole = t->whole_rows > 0 ? (int)t->whole_rows : 0;
    VECTOR part[ISA_MR];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v) {
            LOOSE *to = (LOOSE *)(c + i * c_row) + v;
            if (v == vectors - 1 && i >= whole)
                part[i] = sum[i][v];
            else if (add)
                *to += sum[i][v];
            else
                *to = sum[i][v];
        }
    }
    if (whole < rows) {
        c += whole * c_row + (vectors - 1) * ISA_LANES;
        ISA_NAME(store_parts)(rows - whole, last, part + whole, add, c, c_row);
    }
}

/* What is behind each other is fetched without being asked for. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(stack)(int vectors, const struct tile *t)
{
    struct tile one = *t;
    one.next = NULL;
    for (int64_t left = t->stacked; left > 0; --left) {
        ISA_NAME(tile)(ISA_MR, vectors, false, &one);
        one.a += ISA_MR * one.a_row;
        one.c += ISA_MR * one.c_row;
        one.whole_rows -= ISA_MR;
    }
}

/* Rows one by one: rows of B stay in registers, and the work is to store C. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(outer)(int depth, int vectors,
                                                                             const struct tile *t)
{
    const int last = t->columns - (vectors - 1) * ISA_LANES; /* columns of the last vector */
    const int whole = last < ISA_LANES ? vectors - 1 : vectors;
    const float *a = t->a;
    float *c = t->c;
    VECTOR b[OUTER_DEPTH][2], sum[2];
    ISA_UNROLL
    for (int i = 0; i < depth * vectors; ++i)
        b[i / vectors][i % vectors] = ((const LOOSE *)(t->b + i / vectors * t->b_row))[i % vectors];
    for (int64_t row = 0; row < t->rows; ++row, a += t->a_row, c += t->c_row) {
        ISA_UNROLL
        for (int v = 0; v < vectors; ++v) {
            sum[v] = a[0] * b[0][v];
            ISA_UNROLL
            for (int p = 1; p < depth; ++p)
                sum[v] += a[p] * b[p][v];
            if (v < whole || row < t->whole_rows) {
                ((LOOSE *)c)[v] = sum[v];
            } else {
                const VECTOR part = sum[v];
                ISA_NAME(store_parts)(1, last, &part, false, c + v * ISA_LANES, 0);
            }
        }
    }
}

static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(add_products)(int rows, int columns,
                                                                                    const VECTOR *x, const float *b,
                                                                                    int64_t b_row,
                                                                                    VECTOR (*sum)[DOT_COLUMNS])
{
    ISA_UNROLL
    for (int j = 0; j < columns; ++j) {
        ISA_UNROLL
        for (int i = 0; i < rows; ++i)
            sum[i][j] += x[i] * *(const VECTOR *)(b + j * b_row);
    }
}

static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(dots)(int rows, int columns, const struct tile *t)
{
    VECTOR sum[ISA_DOT_ROWS][DOT_COLUMNS], x[ISA_DOT_ROWS];
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int j = 0; j < columns; ++j)
            sum[i][j] = (VECTOR){0};
    }
    const int64_t whole = t->k / ISA_LANES * ISA_LANES, rest = t->k - whole;
    for (int64_t p = 0; p < whole; p += ISA_LANES) {
        if (t->next) {
            ISA_UNROLL
            for (int i = 0; i < rows; ++i)
                __builtin_prefetch(t->next + i * t->next_row + p, 0, 2);
        }
        ISA_UNROLL
        for (int i = 0; i < rows; ++i)
            x[i] = *(const LOOSE *)(t->a + i * t->a_row + p);
        ISA_NAME(add_products)(rows, columns, x, t->b + p, t->b_row, sum);
    }
    if (rest > 0) {
        /* The last whole vector of a row, of which `rest` elements are new. */
        const __typeof__((VECTOR){0} > 0) is_new = *(const LOOSE *)lane_numbers >= (float)(ISA_LANES - rest);
        ISA_UNROLL
        for (int i = 0; i < rows; ++i) {
            const VECTOR last = *(const LOOSE *)(t->a + i * t->a_row + t->k - ISA_LANES);
            x[i] = (VECTOR)((__typeof__(is_new))last & is_new);
        }
        ISA_NAME(add_products)(rows, columns, x, t->b + whole, t->b_row, sum);
    }
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        ISA_UNROLL
        for (int j = 0; j < columns; ++j) {
            const VECTOR all = sum[i][j]; /* an address of sum[i][j] would keep it in memory */
            vector_4 parts[ISA_LANES / 4], four = {0};
            memcpy(parts, &all, sizeof parts);
            ISA_UNROLL
            for (int part = 0; part < ISA_LANES / 4; ++part)
                four += parts[part];
            t->c[i * t->c_row + j] = four[0] + four[1] + (four[2] + four[3]);
        }
    }
}

#define TILE_OF(rows, vectors)                                                     \
    static ISA_TARGET void ISA_NAME(tile_##rows##x##vectors)(const struct tile *t) \
    {                                                                              \
        ISA_NAME(tile)(rows, vectors, true, t);                                    \
    }
#define TILE(rows) TILE_OF(rows, 1) TILE_OF(rows, 2)
#define TILE_ENTRY(rows) {ISA_NAME(tile_##rows##x1), ISA_NAME(tile_##rows##x2)},
#define WIDE(rows) TILE(rows) TILE_OF(rows, 3) TILE_OF(rows, 4)
#define WIDE_ENTRY(rows) \
    {ISA_NAME(tile_##rows##x1), ISA_NAME(tile_##rows##x2), ISA_NAME(tile_##rows##x3), ISA_NAME(tile_##rows##x4)},
#define EACH_WIDE(DO) DO(1) DO(2) DO(3)
#define EACH_ROWS_6(DO) DO(4) DO(5) DO(6)
#define EACH_ROWS_14(DO) EACH_ROWS_6(DO) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)
#define EACH_OTHER ISA_JOIN(EACH_ROWS, ISA_MR)

EACH_WIDE(WIDE)
EACH_OTHER(TILE)

#define STACK(vectors)                                                      \
    static ISA_TARGET void ISA_NAME(stack_x##vectors)(const struct tile *t) \
    {                                                                       \
        ISA_NAME(stack)(vectors, t);                                        \
    }
STACK(1)
STACK(2)

#define OUTER_OF(depth, vectors)                                                     \
    static ISA_TARGET void ISA_NAME(outer_##depth##x##vectors)(const struct tile *t) \
    {                                                                                \
        ISA_NAME(outer)(depth, vectors, t);                                          \
    }
#define OUTER(depth) OUTER_OF(depth, 1) OUTER_OF(depth, 2)
#define OUTER_ENTRY(depth) {ISA_NAME(outer_##depth##x1), ISA_NAME(outer_##depth##x2)},
#define EACH_OUTER(DO) DO(1) DO(2) DO(3) DO(4)
EACH_OUTER(OUTER)

#define DOTS(columns)                                                           \
    static ISA_TARGET void ISA_NAME(dots_one_x##columns)(const struct tile *t)  \
    {                                                                           \
        ISA_NAME(dots)(1, columns, t);                                          \
    }                                                                           \
    static ISA_TARGET void ISA_NAME(dots_many_x##columns)(const struct tile *t) \
    {                                                                           \
        ISA_NAME(dots)(ISA_DOT_ROWS, columns, t);                               \
    }
DOTS(1)
DOTS(2)
DOTS(3)
DOTS(4)

static const struct microkernels ISA_NAME(microkernels) = {
    .mr = ISA_MR,
    .lanes = ISA_LANES,
    .dot_rows = ISA_DOT_ROWS,
    .pack_b = ISA_NAME(pack_b),
    .tiles = {EACH_WIDE(WIDE_ENTRY) EACH_OTHER(TILE_ENTRY)},
    .stacks = {ISA_NAME(stack_x1), ISA_NAME(stack_x2)},
    .outers = {EACH_OUTER(OUTER_ENTRY)},
    .dots = {{ISA_NAME(dots_one_x1), ISA_NAME(dots_one_x2), ISA_NAME(dots_one_x3), ISA_NAME(dots_one_x4)},
             {ISA_NAME(dots_many_x1), ISA_NAME(dots_many_x2), ISA_NAME(dots_many_x3), ISA_NAME(dots_many_x4)}},
};

#undef OUTER_OF
#undef OUTER
#undef OUTER_ENTRY
#undef EACH_OUTER
#undef TILE_OF
#undef TILE
#undef TILE_ENTRY
#undef WIDE
#undef WIDE_ENTRY
#undef EACH_WIDE
#undef EACH_ROWS_6
#undef EACH_ROWS_14
#undef EACH_OTHER
#undef STACK
#undef DOTS
#undef ISA_MR
#undef ISA_DOT_ROWS
