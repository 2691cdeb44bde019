/* Input that comes through a pipe, as with --image=<(...), can be read once; but workers read their own input. */
#pragma once

/* Puts a file with the same content in place of each pipe that an argument names as /dev/fd/N and that can be read. */
void piped_input_keep(char *const *argv);
