/* Verification: does a rung compute the correct answer? The judge asks, the player calls, the judge looks. */
#pragma once

#include "bench/player/link.h"

/* A workload as the judge has it: its input and the answers to it on the board, and the reference. */
struct problem {
    const struct op *op;
    const struct workload *workload;
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX]; /* on the board: inputs, and the outputs of the last call */
    struct span outputs;        /* these */
    void *answer;               /* outputs that were kept, in the same order, */
    bool has_answer;            /* if there are any */
    struct input_note note;
    struct reference *reference;
    bool is_kept; /* for the next problem that is alike */
};

/* Bytes of host memory that problem_make() takes. */
size_t problem_bytes(const struct op *op, const struct workload *workload);

/* Generates input and reference. False: out of memory; then nothing stays allocated but small problems, for the next
 * one that is alike. */
bool problem_make(struct problem *problem, struct link *link, const struct op *op, const struct workload *workload,
                  const struct input_source *source);
void problem_free(struct problem *problem);

/* Keeps the answer that is on the board, which was verified. */
void problem_keep_answer(struct problem *problem);

/* Output `i` of that answer. */
const void *problem_answer(const struct problem *problem, size_t i);

/* Whether the answer on the board equals the one that was kept bit for bit. */
bool problem_same_answer(const struct problem *problem);

/* A digest of the answer that was kept, 16 hex digits; empty: libcrypto has none. */
void problem_answer_digest(const struct problem *problem, char *text, size_t size);

/* Sets the check of a rung that gave no answer. Its reason is `what` followed by `reason`. */
void verify_fail(struct check *check, const char *what, const char *reason);

/* The same for a rung that could not be run, so that nobody knows what it computes. */
void verify_give_up(struct check *check, const char *what, const char *reason);

/* The same for an answer that is not another one, "its second answer is not the first one", though it may be right. */
void verify_differs(struct check *check, const char *which);

/* Puts words before the reason, which is cut off where both are too long. */
__attribute__((format(printf, 2, 3))) void verify_say_where(struct check *check, const char *format, ...);

/* As link_ask(). False: it did not come to an answer, and `check` says why. */
bool verify_ask(struct link *link, const struct rung *rung, struct ask *ask, struct reply *reply, struct check *check);

/* Makes the buffers of the problem on the rung's backend. False, with the reason. */
bool verify_place(struct link *link, const struct rung *rung, const struct problem *problem,
                  const struct placement *placement, struct check *check);

/* Asks for a call of the rung on the problem, whose buffers are there, and compares its answer with the reference. */
void verify_answer(struct link *link, const struct rung *rung, const struct problem *problem, enum call_kind kind,
                   struct check *check);

/* The same in all orders of work that the backend has, where it has several: the answers must be the same bit for bit.
 * Each answer of a RUNG_UNORDERED rung is compared with the reference instead. If answers differ, `check` names the
 * first element that does, the block that wrote it, and the order. That of the first order is kept. */
size_t verify_order_count(const struct link *link, const struct rung *rung);
void verify_orders(struct link *link, const struct rung *rung, struct problem *problem, struct check *check);

/* If an answer is wrong, and the backend a simulator, a call more says which block, thread and line has written the
 * first wrong element. */
void verify_say_writer(struct link *link, const struct rung *rung, const struct problem *problem, struct check *check);

/* Whether the rung has changed what is not its own, or printed to standard output. False, with the reason. */
bool verify_left_as_it_was(struct link *link, const struct rung *rung, struct check *check);

/* Verifies the rung on the problem, on the very buffers that are timed next, and keeps its answer. `is_first`: in this
 * run; then it is also recorded in a graph, and `launches` is what a call launches. */
void verify_workload(struct link *link, const struct rung *rung, struct problem *problem, bool is_first,
                     struct kernel_launches *launches, struct check *check);

/* Verifies the rung on all ragged sizes of its operation, on input of several kinds, with its buffers against either
 * edge of their pages and at odd addresses, and by many calls on one size. The reason names the size. */
void verify_ragged(struct link *link, const struct rung *rung, uint64_t seed, struct check *check);

/* The same on a part of the sizes, or of the places. */
struct verify_sizes {
    int multiple;     /* each is a multiple of that; 1: the ragged ones */
    bool are_aligned; /* arrays begin at multiples of 256 bytes */
};
enum verify_finding {
    VERIFY_RIGHT,
    VERIFY_SIZE,  /* wrong at a size, or a place; it may be right at others */
    VERIFY_WRONG, /* wrong where it was right for other input, or by what it does */
};
enum verify_finding verify_on_sizes(struct link *link, const struct rung *rung, uint64_t seed,
                                    struct verify_sizes sizes, struct check *check);

/* Verifies the end of the rung's answer on the far problems of its operation, so large that an index, or the product of
 * two sizes, exceeds 2^32: rungs with a memory of their own on those that the memory has room for, simulated ones on
 * all. Rungs of the CPU are not, and `check` is left as it is. If one of the problems was left out, or refused, `check`
 * has a mark, and `note` a sentence. */
void verify_far(struct link *link, const struct rung *rung, uint64_t seed, struct check *check, struct error *note);
