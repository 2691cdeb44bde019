#include "own_process.h"

#include "exit_status.h"

#include <unistd.h>

static pid_t own;

void own_process_begin(void)
{
    own = getpid();
}

void own_process_check(void)
{
    if (own != 0 && getpid() != own)
        _exit(EXIT_WRONG);
}
