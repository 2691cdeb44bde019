/* One row for each key of some texts, by a tree of the C library: whoever asks how a row stands among all others must
 * not pass over all of them for each. */
#pragma once

#include "result.h"

/* Texts that are not copied; behind the last one NULL. */
struct row_key {
    const char *texts[5];
};

struct row_index {
    void *tree;        /* NULL: no row */
    bool lacks_memory; /* a row may be missing */
};

/* Whether a row is to stand for a key instead of the one that does. */
typedef bool row_rule(const struct result *row, const struct result *kept);

/* Keeps the row for this key, unless it has one already that the rule does not replace (NULL: it replaces none). The
 * row that stands for the key now; NULL: no memory. */
const struct result *row_index_keep(struct row_index *index, struct row_key key, const struct result *row,
                                    row_rule *is_better);

/* NULL: there is none. */
const struct result *row_index_find(const struct row_index *index, struct row_key key);

/* False: it lacked memory, so that what was found in it may not be all. */
bool row_index_free(struct row_index *index);
