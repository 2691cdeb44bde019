/* Verification on a backend that can run the same work in several orders: all must give the same answer. */
#pragma once

#include "verify_once.h"

/* Whether there is more than one. */
bool verify_has_orders(const struct backend *backend);

/* Runs the rung once in each order, on the same poison, and compares the answers bit for bit. Each answer of a
 * RUNG_UNORDERED rung is compared with the reference instead. If answers differ, `check` names the first element that
 * does, the block that wrote it, and the order. An error that occurs only in a later order is reported with that
 * order's name. */
void verify_orders(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                   struct check *check);
