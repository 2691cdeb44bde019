/* spell FILE TO: the file as the simulator's compiler gets one of a user's own. */
#include "bench/own/spelling.h"

#include "bench/base/files.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { BYTES_MAX = 1 << 20 };
    struct error error;
    size_t size;
    char *text = argc == 3 ? regular_file_read(argv[1], argv[1], BYTES_MAX, &size, &error) : NULL, *spelt;
    FILE *to = text ? fopen(argv[2], "w") : NULL;
    if (!to)
        return EXIT_FAILURE;
    spelt = spelling_change(text, "0", true);
    fprintf(to, "#line 1 \"%s\"\n%s", argv[1], spelt);
    free(spelt);
    free(text);
    return fclose(to) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
