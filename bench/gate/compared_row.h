/* A row on both sides, with the verdict or evidence on it. */
#pragma once

#include "rule.h"

/* What the digests of the machine code say about both sides. */
enum code_match { CODE_UNKNOWN, CODE_CHANGED, CODE_SAME };

struct compared_row {
    const char *name;
    enum verdict verdict;
    bool has_evidence; /* both sides were timed; otherwise the verdict follows from the statuses */
    bool is_decided;   /* the verdict is final */
    bool confirmed;    /* by the confirmation, in rounds of its own after the screen */
    bool slowed;       /* the new side was slowed by --slowdown */
    bool on_host;      /* timed by the host's clock, or on its CPUs */
    enum code_match code;
    const char *reason; /* why it failed or was skipped; may be empty */
    char remark[160];   /* what else is to be known of its rounds; may be empty */
    struct evidence evidence;
};
