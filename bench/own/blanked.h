/* C and CUDA source as code alone. */
#pragma once

/* Makes a space of each character of a comment, a string or a character constant; lines and places stay. */
void blanked_make(char *source);
