/* Loaded before a program: a signal that comes before main(). */
#include <signal.h>
#include <stdlib.h>

__attribute__((constructor)) static void send(void)
{
    const char *number = getenv("EARLY_SIGNAL");
    if (number) {
        unsetenv("EARLY_SIGNAL");
        raise(atoi(number));
    }
}
