#include "match.h"

#include "bench/base/pattern.h"

#include <stdlib.h>
#include <string.h>

bool match_lines(const char *pattern, FILE *from, FILE *to, struct error *error)
{
    struct error reason;
    struct pattern *wanted = pattern_make(pattern, strlen(pattern), PATTERN_PART, &reason);
    if (!wanted)
        return error_set(error, "--match=%s: not a POSIX extended regular expression (%s)", pattern, reason.text);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, from) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (pattern_matches(wanted, line))
            fprintf(to, "%s\n", line);
    }
    free(line);
    pattern_free(wanted);
    return !ferror(from) || error_set(error, "stdin: cannot be read");
}
