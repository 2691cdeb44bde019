/* The program's exit status. */
#pragma once

enum exit_status {
    EXIT_RIGHT = 0, /* at least one row was measured or verified, and none was wrong */
    EXIT_WRONG = 1, /* a rung gave a wrong answer or failed */
    EXIT_USAGE = 2, /* usage, input or output error, or nothing selected */
    EXIT_ALL_SKIPPED = 77,
    EXIT_SIGNAL_BASE = 128,
};
