/* Matmul rungs for the fake backend: one that is right, and one that is wrong in each way that verification must see.
 */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/registry.h"

#include <stdint.h>

extern const struct op matmul_op;
extern const struct backend_entry fake_entry;

/* What a call of a fake rung takes on the device. */
enum { FAKE_KERNEL_NS = 5000, FAKE_LONG_NS = 50000 };

/* The product, as a kernel. */
void fake_multiply(const struct matmul_problem *p);
rung_function fake_right, fake_takes_long;
rung_function fake_nan, fake_zeros, fake_halved, fake_one_element, fake_swapped_rows;
/* These count calls on sizes with m = FAKE_COUNTED_M only. */
rung_function fake_wrong_from_the_hundredth_call, fake_writes_behind_from_the_hundredth_call;
rung_function fake_cached_by_pointer, fake_idle_from_the_third_call, fake_idle_when_pointer_known;
rung_function fake_computes_where_nan, fake_adds_to_its_output;
rung_function fake_wrong_in_each_thousandth_call, fake_changes_last_bit_in_each_thousandth_call;
rung_function fake_divides_by_largest; /* of A, which is wrong where A is zero */
rung_function fake_writes_before, fake_writes_behind, fake_ruins_its_input;
rung_function fake_works_while_recorded;
rung_function fake_leaks;

/* Is right where that buffer, 0, 1 or 2, starts at a multiple of so many bytes, and refuses to start elsewhere. */
extern int fake_aligned_buffer;
extern uintptr_t fake_alignment;
rung_function fake_needs_alignment;

rung_function fake_other_stream, fake_waits, fake_fails_to_launch, fake_changes_last_bit;

enum { FAKE_COUNTED_M = 37 };

/* Forgets calls counted and answers cached. */
void fake_rungs_reset(void);
