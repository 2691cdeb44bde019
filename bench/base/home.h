/* What the program reads of its own when it runs: headers for kernels and operations of the user's own, the simulator's
 * stand-ins for CUDA's, exercises, scripts. */
#pragma once

/* The folder that has them, in the order of the sources: share/rungbench of an installation, which the program finds
 * from where it lies itself; else the sources that it was built from. */
const char *home_folder(void);

/* That of what the build has made of them. */
const char *home_generated(void);

/* The program as a library. */
const char *home_library(void);
