/* What judge and player share: an ask and a reply, records of fixed size, and the board, memory that both see. The
 * player has the device and calls rungs; it does what it is asked and decides nothing. What it writes is not to be
 * trusted: a kernel of the user's own runs in its process. */
#pragma once

#include "bench/measure/measure.h"
#include "bench/place/buffers.h"
#include "bench/place/devices.h"

enum ask_kind {
    ASK_OPEN,     /* opens the backends: board->devices */
    ASK_FEASIBLE, /* can the rung run the workload? */
    ASK_LOAD,     /* loads the object of a kernel of the user's own */
    ASK_PLACE,    /* makes the buffers of a workload on the rung's backend, in place of those before */
    ASK_CALL,     /* uploads the inputs on the board, calls the rung once, puts the answer on the board */
    ASK_REPEAT,   /* calls it many times: `number` is the first call with another answer, which is on the board; 0: none
                   */
    ASK_LEAKS,    /* calls it many times: does memory stay allocated? */
    ASK_FAR,      /* a call on a problem of which only the end of the answer is there: board->end */
    ASK_CHANGED,  /* has the rung changed what is not its own? */
    ASK_MEASURE,  /* times the rung in a mode: board->measured, and the states of the device before and after */
    ASK_QUESTION, /* makes new inputs from the seed, poisons the outputs and empties the caches */
    ASK_GO,       /* one call on them, timed by the player; the answer is then on the board. `rung` -1: an empty call */
    ASK_STATE,    /* the state of the device: board->before */
    ASK_CEILING,  /* times what sets a ceiling */
};

/* How a rung is called for verification. */
enum call_kind {
    CALL_FRESH,    /* on new poison */
    CALL_REPEATED, /* on the same poison as the call before */
    CALL_ON_NAN,   /* on outputs that are all NaN */
    CALL_HELD,     /* on new poison, while the stream is held: no output may change meanwhile, and it may not wait */
    CALL_AWAITED,  /* on new poison, and no thread of it may use the buffers afterwards */
    CALL_RECORDED, /* on new poison, recorded in a graph: board->launches */
};

struct ask {
    enum ask_kind kind;
    uint64_t stamp; /* random; the reply has it, too, and what has not is none */
    int rung;       /* its number in the registry */
    int backend;    /* likewise, where there is no rung */
    int mode;
    struct workload workload;
    struct placement placement;
    bool on_board;       /* ASK_PLACE: outputs lie on the board, where the backend's memory is the host's */
    enum call_kind call; /* ASK_CALL */
    int order;           /* of the simulator; 0: the usual one */
    bool counts;         /* what warps load and store there: board->warps */
    struct {
        size_t buffer, offset, bytes;
    } watched; /* finds which block writes there, and what that block does wrong: board->writer, found; no bytes: none
                */
    int multiprocessors; /* ASK_FAR: that the simulator shows */
    uint64_t seed;       /* ASK_QUESTION, ASK_FAR */
    int64_t spin_ns;     /* ASK_GO of an empty call: how long it takes; BACKEND_NO_SPIN: as short as can be */
    struct measure_settings settings; /* ASK_MEASURE, but for the tick and the interruption; and so are these: */
    double slowdown_pct;              /* 0: none */
    bool uploads;                     /* no call has been before, so the inputs are not there yet */
    struct {
        int kind, variant; /* of enum ceiling_kind and the further ones; variant -1: all */
        double amount, min_time_s;
    } ceiling;
};

/* What became of an ask. `board->text` says why, if it was not done. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_FAILED,  /* by the rung's fault */
    OUTCOME_GAVE_UP, /* by nobody's, as far as one knows: no memory, a launch that the device refuses */
    OUTCOME_MISSED,  /* ASK_FAR: the simulator did not come to the end of the answer */
    OUTCOME_REFUSED, /* ASK_FAR: the rung does not take so large a problem */
    OUTCOME_ENDED,   /* the player has ended, or was ended */
};

struct reply {
    enum outcome outcome;
    uint64_t stamp;
    int64_t number;
    double seconds, cpu_s; /* `cpu_s`: ASK_GO, as in struct sample */
    double ahead_s; /* ASK_GO: for which other threads had a processor from the question on until the call; INFINITY:
                       a signal came meanwhile, whose handler may work */
    int variant;
};

enum { BOARD_TEXT_BYTES = 512 };

/* Texts end with a zero. */
struct board {
    char text[BOARD_TEXT_BYTES];
    char crash[256]; /* what a signal that ends the player was: "SIGSEGV at address 0x10"; empty: none came */
    char writer[288], found[320];
    char runs_as[64];                   /* whose kernel the rung ran in its last call; empty: its own */
    char choice[64];                    /* what it chose there; empty: nothing */
    struct device devices[DEVICES_MAX]; /* without `entry` */
    struct device_state before, after;  /* ASK_MEASURE */
    double elapsed_s;                   /* between the two */
    struct kernel_launches launches;
    struct warp_accesses warps;
    struct measurement measured; /* without samples; those are here: */
    double sample_s[STOPPING_MAX_SAMPLES];
    double slowdown_pct;                           /* that was calibrated; NAN: none */
    unsigned char end[OP_END_MAX * sizeof(float)]; /* ASK_FAR: of the answer */
    alignas(4096) unsigned char data[];            /* the buffers of the problem, as board_place() says */
};

/* A board that a player in another process opens by `fd`, and that nobody can make smaller. NULL: no memory. */
struct board *board_make(int *fd);
struct board *board_open(int fd);
void board_free(struct board *board, int fd); /* closes it; -1: it is closed */

/* Makes room for the buffers of a workload, zeros. False: no memory. */
bool board_make_room(struct board *board, const struct op *op, const struct workload *workload);

/* Where the buffers of a workload lie on the board. Returns how many there are. */
size_t board_place(struct board *board, const struct op *op, const struct workload *workload,
                   struct buffer_spec specs[OP_BUFFERS_MAX], void *host[OP_BUFFERS_MAX]);

/* The outputs there, which lie behind each other. */
struct span board_outputs(const struct op *op, const struct workload *workload, void *const host[OP_BUFFERS_MAX]);
