/* Verification where the backend can do the same work in several orders: all must come to the same answer. */
#ifndef RUNGBENCH_VERIFY_ORDERS_H
#define RUNGBENCH_VERIFY_ORDERS_H

#include "verify_once.h"

/* Runs the rung once in each order, and compares the answers bit for bit; those of an unordered rung each with the
 * reference. Where they differ, `check` names the first element that does, who wrote it, and the order. What goes wrong
 * in a later order only is said with the order's name. */
void verify_orders(const struct rung *rung, const struct buffers *buffers, void *const host[], const void *reference,
                   struct check *check);

#endif
