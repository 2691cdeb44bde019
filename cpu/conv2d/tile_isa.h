/* The tiles of tuned.c for one instruction set, `struct tiles tiles_ISA`. cpu_each_isa.h includes this file and
 * explains ISA_... */

/* `filters` and `rows` are constants where this is inlined: then `sum` lives in registers. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(tile)(int filters, int rows, const struct tile *t)
{
    const struct conv2d_problem *p = t->p;
    const int64_t r = p->r, filter = p->c * r * r, plane = (p->h - r + 1) * (p->w - r + 1);
    const float *f = t->f;
    VECTOR sum[SUMS], x[SUMS];
    ISA_UNROLL
    for (int s = 0; s < filters * rows; ++s)
        sum[s] = (VECTOR){0};
    for (int64_t c = 0; c < p->c; ++c) {
        for (int64_t di = 0; di < r; ++di) {
            const float *from = t->x + (c * p->h + di) * p->w;
            for (int64_t dj = 0; dj < r; ++dj, ++f, ++from) {
                ISA_UNROLL
                for (int i = 0; i < rows; ++i)
                    x[i] = *(const LOOSE *)(from + i * p->w);
                ISA_UNROLL
                for (int k = 0; k < filters; ++k) {
                    ISA_UNROLL
                    for (int i = 0; i < rows; ++i)
                        sum[k * rows + i] += f[k * filter] * x[i];
                }
            }
        }
    }
    ISA_UNROLL
    for (int s = 0; s < filters * rows; ++s)
        *(LOOSE *)(t->y + s / rows * plane + s % rows * (p->w - r + 1)) = sum[s];
}

static ISA_TARGET void ISA_NAME(many_filters)(const struct tile *t)
{
    ISA_NAME(tile)(MANY_FILTERS, MANY_ROWS, t);
}

static ISA_TARGET void ISA_NAME(many_rows)(const struct tile *t)
{
    ISA_NAME(tile)(1, SUMS, t);
}

static ISA_TARGET void ISA_NAME(single)(const struct tile *t)
{
    ISA_NAME(tile)(1, 1, t);
}

static const struct tiles ISA_NAME(tiles) = {ISA_LANES, ISA_NAME(many_filters), ISA_NAME(many_rows), ISA_NAME(single)};
