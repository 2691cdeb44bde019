/* The inner loop of tuned.c for one instruction set, `struct strips strips_ISA`. cpu_each_isa.h includes this file and
 * explains ISA_... */

/* Rows of A per turn: their part of a strip, two sums and a factor fit in the registers. */
#define ISA_ROWS (ISA_REGISTERS / 4)

static_assert(2 * ISA_LANES <= WIDTH_MAX, "a strip fits in a padded row");

/* `rows` is a constant where this is inlined: then `a` lives in registers. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(add)(int rows, int64_t row, const struct strip *s)
{
    const int64_t dc_row = s->dc_row;
    const float *dc = s->dc + row * dc_row;
    VECTOR a[ISA_ROWS][2];
    VECTOR *sum = (VECTOR *)s->sums;
    ISA_UNROLL
    for (int i = 0; i < rows; ++i) {
        const LOOSE *from = (const LOOSE *)(s->a + (row + i) * s->a_row);
        a[i][0] = from[0];
        a[i][1] = from[1];
    }
    for (int64_t j = 0; j < s->columns; ++j, ++dc, sum += 2) {
        VECTOR sum0 = sum[0], sum1 = sum[1];
        ISA_UNROLL
        for (int i = 0; i < rows; ++i) {
            sum0 += a[i][0] * dc[i * dc_row];
            sum1 += a[i][1] * dc[i * dc_row];
        }
        sum[0] = sum0;
        sum[1] = sum1;
    }
}

static ISA_TARGET void ISA_NAME(add_rows)(const struct strip *strip)
{
    int64_t row = 0;
    for (; row + ISA_ROWS <= strip->rows; row += ISA_ROWS)
        ISA_NAME(add)(ISA_ROWS, row, strip);
    for (; row < strip->rows; ++row)
        ISA_NAME(add)(1, row, strip);
}

static const struct strips ISA_NAME(strips) = {ISA_ROWS, 2 * ISA_LANES, ISA_NAME(add_rows)};

#undef ISA_ROWS
