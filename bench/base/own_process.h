/* A rung may fork. The copy of this process must not go on as if it were this process. */
#pragma once

/* Remembers which process this is. */
void own_process_begin(void);

/* Ends a process that is a copy of the one that has begun. */
void own_process_check(void);
