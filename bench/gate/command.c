#include "command.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char out[] = "{out}", filter_place[] = "{filter}",
                  plain[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

bool command_quotes_filter(const char *command)
{
    char quote = '\0';
    for (; *command; command++) {
        if (*command == '\\' && quote != '\'' && command[1])
            command++;
        else if (quote ? *command == quote : *command == '\'' || *command == '"')
            quote = (char)(quote ? '\0' : *command);
        else if (quote && strncmp(command, filter_place, strlen(filter_place)) == 0)
            return true;
    }
    return false;
}

bool command_make_folder(const char *command, char folder[PATH_MAX], struct error *error)
{
    folder[0] = '\0';
    if (!strstr(command, out))
        return true;
    const bool is_made = temporary_folder_make("rungbench-gate", folder);
    if (is_made && folder[strspn(folder, plain)] == '\0')
        return true;
    error_set(error, "{out}: no folder %s can be made (%s)", folder,
              is_made ? "its name is no plain word" : strerror(errno));
    if (is_made)
        folder_remove(folder);
    folder[0] = '\0';
    return false;
}

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

char *command_out(const char *folder)
{
    return folder[0] ? memory_print("%s/out", folder) : NULL;
}

bool command_has_written(const char *folder)
{
    char *path = command_out(folder);
    bool has = path && access(path, F_OK) == 0;
    free(path);
    return has;
}
