/* SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT: a text says what happened before the signal ends the process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Installs the handlers. They write into `text`, memory that others see too, "SIGSEGV at address 0x10", and then leave
 * the signal to whoever had it before. `describe` says where an address lies, if it knows; it may call
 * async-signal-safe functions only. NULL: nobody knows. */
void crash_install(char *text, size_t size, bool (*describe)(const void *address, char *text, size_t size));
