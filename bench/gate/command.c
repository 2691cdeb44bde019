#define _GNU_SOURCE /* nftw() */
#include "command.h"

#include "bench/base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char out[] = "{out}", filter_place[] = "{filter}",
                  plain[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

bool command_make_folder(const char *base, const char *other, char **folder, struct error *error)
{
    const char *place = getenv("TMPDIR");
    *folder = NULL;
    if (!strstr(base, out) && !(other && strstr(other, out)))
        return true;
    place = place && place[0] ? place : "/tmp";
    *folder = memory_print("%s/rungbench-gate-XXXXXX", place);
    const bool is_plain = place[strspn(place, plain)] == '\0';
    if (is_plain && mkdtemp(*folder))
        return true;
    error_set(error, "{out}: no folder can be made in %s (%s)", place,
              is_plain ? strerror(errno) : "its name is no plain word");
    free(*folder);
    *folder = NULL;
    return false;
}

/* As one word of a shell. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, to);
    fputc('\'', to);
}

char *command_text(const char *command, const char *folder, const char *filter)
{
    char *text;
    size_t bytes;
    FILE *to = memory_stream(&text, &bytes);
    while (*command) {
        if (strncmp(command, out, strlen(out)) == 0) {
            fprintf(to, "%s/out", folder);
            command += strlen(out);
        } else if (strncmp(command, filter_place, strlen(filter_place)) == 0) {
            put_quoted(to, filter);
            command += strlen(filter_place);
        } else {
            fputc(*command++, to);
        }
    }
    memory_stream_end(to);
    return text;
}

char *command_out(const char *command, const char *folder)
{
    return strstr(command, out) ? memory_print("%s/out", folder) : NULL;
}

bool command_has_written(const char *folder)
{
    char *path = memory_print("%s/out", folder ? folder : "");
    bool has = folder && access(path, F_OK) == 0;
    free(path);
    return has;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type;
    if (where->level > 0)
        (void)remove(path);
    return 0;
}

void command_clear(const char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    if (folder)
        (void)nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void command_remove_folder(char *folder)
{
    command_clear(folder);
    if (folder)
        rmdir(folder);
    free(folder);
}
