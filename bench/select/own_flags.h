/* The flags of kernels of the user's own, as flags.c calls them. */
#pragma once

#include "bench/base/command_line.h"

bool own_flags_add_kernel(void *to, const struct flag *flag, const char *name, const char *value, struct error *error);
bool own_flags_add_object(void *to, const struct flag *flag, const char *name, const char *value, struct error *error);
bool own_flags_set_op(void *to, const struct flag *flag, const char *name, const char *value, struct error *error);
