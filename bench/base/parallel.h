/* Work of the harness itself, shared out to threads. Never while a sample is taken. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Calls `work` with `self` and each number from 0 to count - 1, on several threads at a time and in any order. Returns
 * when all calls have. Where no thread can be made, this one does it all. */
void parallel_each(int64_t count, void (*work)(void *self, int64_t number), void *self);

/* The same, on this thread alone where several are not worth it. */
void parallel_each_if(bool is_worth_it, int64_t count, void (*work)(void *self, int64_t number), void *self);
