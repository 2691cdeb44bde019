/* Cheats that keep answers, or parts of them, from earlier calls. */
#include "tests/cheats/cheat.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What was kept under a key. */
struct kept {
    uint64_t key;
    float *data; /* NULL: nothing */
    int64_t calls;
};

enum { SHELVES = 512 };

struct cupboard {
    struct kept shelf[SHELVES];
    size_t next;
};

/* Of so many words of four bytes, eight at a time: far quicker than a product. */
static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
    enum { LANES = 8 };
    uint32_t words[LANES], sums[LANES] = {0};
    for (size_t i = 0; i < bytes; i += sizeof words) {
        size_t left = bytes - i < sizeof words ? bytes - i : sizeof words;
        if (left < sizeof words)
            memset(words, 0, sizeof words);
        memcpy(words, (const char *)data + i, left);
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] = (sums[lane] ^ words[lane]) * UINT32_C(0x9E3779B1) + UINT32_C(0x85EBCA77);
    }
    uint64_t value = seed;
    for (int lane = 0; lane < LANES; lane++)
        value = (value ^ sums[lane]) * UINT64_C(0x100000001B3) ^ (value >> 29);
    return value;
}

static uint64_t by_sizes(const struct matmul_problem *p)
{
    return hash(0, &p->m, sizeof p->m) ^ hash(1, &p->n, sizeof p->n) ^ hash(2, &p->k, sizeof p->k);
}

static uint64_t by_pointers(const struct matmul_problem *p)
{
    return hash(by_sizes(p), &p->a, 3 * sizeof p->a);
}

static uint64_t by_first_elements(const struct matmul_problem *p)
{
    return hash(hash(by_sizes(p), p->a, sizeof *p->a), p->b, sizeof *p->b);
}

static uint64_t by_sample(const struct matmul_problem *p)
{
    uint64_t key = by_sizes(p);
    for (int64_t i = 0; i < 64; i++) {
        key = hash(key, &p->a[i * p->m * p->k / 64], sizeof *p->a);
        key = hash(key, &p->b[i * p->k * p->n / 64], sizeof *p->b);
    }
    return key;
}

static uint64_t by_a(const struct matmul_problem *p)
{
    return hash(by_sizes(p), p->a, (size_t)(p->m * p->k) * sizeof *p->a);
}

static uint64_t by_inputs(const struct matmul_problem *p)
{
    return hash(by_a(p), p->b, (size_t)(p->k * p->n) * sizeof *p->b);
}

/* The shelf of a key, with room for so many elements: as it was left, or new. */
static struct kept *find(struct cupboard *cupboard, uint64_t key, int64_t elements)
{
    for (size_t i = 0; i < SHELVES; i++)
        if (cupboard->shelf[i].data && cupboard->shelf[i].key == key)
            return &cupboard->shelf[i];
    struct kept *kept = &cupboard->shelf[cupboard->next++ % SHELVES];
    free(kept->data);
    *kept = (struct kept){.key = key, .data = malloc((size_t)elements * sizeof *kept->data)};
    if (!kept->data)
        abort();
    return kept;
}

static void copy(float *to, const float *from, int64_t elements)
{
    memcpy(to, from, (size_t)elements * sizeof *to);
}

/* Computes rows `from` to `to` in the first call of a key, and copies them in the others. */
static void keep_rows(const struct matmul_problem *p, struct cupboard *cupboard, uint64_t key, int64_t from, int64_t to)
{
    struct kept *kept = find(cupboard, key, p->m * p->n);
    if (kept->calls++ > 0) {
        copy(p->c + from * p->n, kept->data + from * p->n, (to - from) * p->n);
        return;
    }
    multiply_rows(p, from, to);
    copy(kept->data + from * p->n, p->c + from * p->n, (to - from) * p->n);
}

static void keep(const struct matmul_problem *p, struct cupboard *cupboard, uint64_t key)
{
    keep_rows(p, cupboard, key, 0, p->m);
}

CPU_MATMUL(kept_by_pointers)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_pointers(p));
}

CPU_MATMUL(kept_by_sizes)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_sizes(p));
}

CPU_MATMUL(kept_by_first_elements)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_first_elements(p));
}

CPU_MATMUL(kept_by_sample)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_sample(p));
}

CPU_MATMUL(kept_by_hash_of_a)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_a(p));
}

CPU_MATMUL(kept_by_hash_of_a_and_sample)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_a(p) ^ by_sample(p));
}

CPU_MATMUL(kept_by_hash)
{
    static struct cupboard cupboard;
    keep(p, &cupboard, by_inputs(p));
}

/* Reads all of its input, and computes half. */
CPU_MATMUL(half_kept_by_hash)
{
    static struct cupboard cupboard;
    multiply_rows(p, 0, p->m / 2);
    keep_rows(p, &cupboard, by_inputs(p), p->m / 2, p->m);
}

CPU_MATMUL(half_kept_by_pointers)
{
    static struct cupboard cupboard;
    multiply_rows(p, 0, p->m / 2);
    keep_rows(p, &cupboard, by_pointers(p), p->m / 2, p->m);
}

/* Notices new input by its first element of C, which it computes. */
CPU_MATMUL(kept_by_first_of_c)
{
    static struct cupboard cupboard;
    float first = element_of(p, 0, 0);
    keep(p, &cupboard, hash(by_pointers(p), &first, sizeof first));
}

/* B packed, here transposed, as it was in the first call. */
CPU_MATMUL(packed_b_kept)
{
    static struct cupboard cupboard;
    struct kept *kept = find(&cupboard, by_pointers(p), p->k * p->n);
    for (int64_t k = 0; k < p->k && kept->calls == 0; k++)
        for (int64_t j = 0; j < p->n; j++)
            kept->data[j * p->k + k] = p->b[k * p->n + j];
    kept->calls++;
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p->k; k++)
                sum += p->a[i * p->k + k] * kept->data[j * p->k + k];
            p->c[i * p->n + j] = sum;
        }
    }
}

/* The sums over the first half of k are those of the first call. */
CPU_MATMUL(partial_sums_kept)
{
    static struct cupboard cupboard;
    struct kept *kept = find(&cupboard, by_pointers(p), p->m * p->n);
    int64_t half = p->k / 2;
    for (int64_t i = 0; i < p->m && kept->calls == 0; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            kept->data[i * p->n + j] = 0;
            for (int64_t k = 0; k < half; k++)
                kept->data[i * p->n + j] += p->a[i * p->k + k] * p->b[k * p->n + j];
        }
    }
    kept->calls++;
    copy(p->c, kept->data, p->m * p->n);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t k = half; k < p->k; k++)
            for (int64_t j = 0; j < p->n; j++)
                p->c[i * p->n + j] += p->a[i * p->k + k] * p->b[k * p->n + j];
}

/* Works in the first calls with these pointers, and then leaves C as it is. */
static void work_at_first(const struct matmul_problem *p, struct cupboard *cupboard, int64_t calls)
{
    if (find(cupboard, by_pointers(p), 1)->calls++ < calls)
        multiply(p);
}

CPU_MATMUL(works_once)
{
    static struct cupboard cupboard;
    work_at_first(p, &cupboard, 1);
}

CPU_MATMUL(works_ten_times)
{
    static struct cupboard cupboard;
    work_at_first(p, &cupboard, 10);
}

CPU_MATMUL(works_100_times)
{
    static struct cupboard cupboard;
    work_at_first(p, &cupboard, 100);
}

/* Works in every so many calls. */
static void work_in_turns(const struct matmul_problem *p, int64_t *calls, int64_t every)
{
    if ((*calls)++ % every == 0)
        multiply(p);
}

CPU_MATMUL(works_every_2nd_time)
{
    static int64_t calls;
    work_in_turns(p, &calls, 2);
}

/* Half the work for a problem that was there in the call before: nobody has looked at C since. */
CPU_MATMUL(works_every_2nd_time_in_place)
{
    static struct cupboard cupboard;
    work_in_turns(p, &find(&cupboard, by_pointers(p), 1)->calls, 2);
}

/* One wrong element in every so many calls. */
static void err_at_times(const struct matmul_problem *p, int64_t *calls, int64_t every)
{
    multiply(p);
    if (++*calls % every == 0)
        p->c[p->m * p->n / 2] += 1;
}

CPU_MATMUL(wrong_every_100th_time)
{
    static int64_t calls;
    err_at_times(p, &calls, 100);
}

CPU_MATMUL(wrong_every_1000th_time)
{
    static int64_t calls;
    err_at_times(p, &calls, 1000);
}

/* As long as its caller is the first that it had, it works. */
__attribute__((noinline)) const char *matmul_cpu_works_for_its_first_caller(const void *problem, void *stream)
{
    static const void *first;
    const void *caller = __builtin_return_address(0);
    (void)stream;
    first = first ? first : caller;
    if (caller == first)
        multiply(problem);
    else
        multiply_rows(problem, 0, ((const struct matmul_problem *)problem)->m / 2);
    return NULL;
}

/* Knows how a harness makes new inputs: it rotates the rows and the columns of those that it has. Finds by how much,
 * and rotates the answer. */
static bool find_row(const struct matmul_problem *p, const float *a, int64_t column, int64_t *row)
{
    for (*row = 0; *row < p->m; ++*row)
        if (a[*row * p->k + column] == p->a[0] && a[*row * p->k + (column + 1) % p->k] == p->a[1 % p->k])
            return true;
    return false;
}

static bool find_place(const struct matmul_problem *p, const float *b, int64_t *row, int64_t *column)
{
    for (*row = 0; *row < p->k; ++*row)
        for (*column = 0; *column < p->n; ++*column)
            if (b[*row * p->n + *column] == p->b[0] && b[*row * p->n + (*column + 1) % p->n] == p->b[1 % p->n])
                return true;
    return false;
}

CPU_MATMUL(kept_rotated)
{
    static struct cupboard cupboard;
    struct kept *kept = find(&cupboard, by_pointers(p), p->m * p->k + p->k * p->n + p->m * p->n);
    float *a = kept->data, *b = a + p->m * p->k, *c = b + p->k * p->n;
    int64_t i, k, j;
    if (kept->calls++ == 0 || !find_place(p, b, &k, &j) || !find_row(p, a, k, &i)) {
        multiply(p);
        copy(a, p->a, p->m * p->k);
        copy(b, p->b, p->k * p->n);
        copy(c, p->c, p->m * p->n);
        return;
    }
    for (int64_t row = 0; row < p->m; row++) {
        const float *from = c + (row + i) % p->m * p->n;
        copy(p->c + row * p->n, from + j, p->n - j);
        copy(p->c + row * p->n + p->n - j, from, j);
    }
}
