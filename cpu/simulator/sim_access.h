/* What threads touch. Kernels are compiled with GCC's or Clang's instrumentation for ThreadSanitizer, whose calls
 * before each load and store come here, and with that of UndefinedBehaviorSanitizer for indexes and alignment. (Both
 * are internal interfaces; LLVM's compiler-rt, tsan_interface.h and ubsan_handlers.h, declares them.) */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* An access that is no plain load or store: an asynchronous copy, an atomic function. Returns only if it is allowed.
 * Until sim_access_end() a fault is one of this line and operation. */
void sim_access_begin(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes);
void sim_access_end(void);
/* The same, with its first and its last byte read, so that a bad address is a fault of this line. */
void sim_access_touch(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes);

/* Between these, what is touched is touched by an atomic function. */
void sim_atomic_begin(struct sim_place place, const char *operation, void *memory, size_t bytes);
void sim_atomic_end(void);

/* Whether a kernel runs whose accesses are looked at. */
bool sim_access_looks(void);
/* Before what others see. Returns when all blocks before have ended, and not if one of them has failed. */
void sim_access_wait(void);

/* Around the blocks of a launch. */
void sim_access_open(void);
void sim_access_shut(void);

SIM_C_END
