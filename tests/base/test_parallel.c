/* Work that is shared out to threads. */
#include "bench/base/host.h"
#include "bench/base/parallel.h"
#include "tests/unit.h"

#include <pthread.h>
#include <stdatomic.h>

enum { NUMBERS = 1000 };

static int threads_left, threads_made; /* that can still be made, and were */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    if (threads_left-- <= 0)
        return EAGAIN;
    threads_made++;
    return __real_pthread_create(thread, attributes, start, argument);
}

static atomic_int calls[NUMBERS];
static atomic_int others; /* calls for another `self` */

static void count_call(void *self, int64_t number)
{
    if (self != calls)
        atomic_fetch_add(&others, 1);
    atomic_fetch_add(&calls[number], 1);
}

TEST(each_number_has_its_turn_once)
{
    const int counts[] = {0, 1, 2, 17, NUMBERS}, threads[] = {NUMBERS, 1, 0};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int i = 0; i < NUMBERS; i++)
                calls[i] = 0;
            threads_left = threads[t];
            parallel_each(counts[c], count_call, calls);
            for (int i = 0; i < NUMBERS; i++)
                assert_int_equal(calls[i], i < counts[c]);
            assert_int_equal(others, 0);
        }
    }
}

/* This thread takes part. */
TEST(as_many_threads_are_made_as_there_are_numbers_and_processors_for)
{
    const int processors = (int)host_processors(), most = processors < 16 ? processors : 16, counts[] = {1, 2, NUMBERS};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        threads_left = NUMBERS;
        threads_made = 0;
        parallel_each(counts[c], count_call, calls);
        assert_int_equal(threads_made, (counts[c] < most ? counts[c] : most) - 1);
    }
}
