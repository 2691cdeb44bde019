/* What a compiler says of a file for the simulator, which has not all that the file's language has. */
#pragma once

#include "bench/base/pattern.h"

/* Of its first error: the message, where the simulator is to blame, as for `names` that it has not; else it is printed
 * as the compiler's own, without what follows, and the message stays. `path` is the user's file, `folder` the one it is
 * in. False: it says no error that has a line. */
bool complaint_read(const char *said, const char *names, const char *path, const char *folder, struct error *error);
