#include "kernel_name.h"

#include <stdlib.h>
#include <string.h>

/* The C++ runtime's (Itanium C++ ABI, section 3.4). */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

/* Where the parameters begin: at the parenthesis that the last one closes. */
static char *parameters(char *name)
{
    int depth = 0;
    for (char *at = name + strlen(name); at-- > name;) {
        depth += *at == ')' ? 1 : *at == '(' ? -1 : 0;
        if (depth == 0)
            return *at == '(' ? at : NULL;
    }
    return NULL;
}

char *kernel_name(const char *symbol)
{
    static const char returns[] = "void "; /* a template's result is a part of its mangled name */
    int status = 0;
    char *name = __cxa_demangle(symbol, NULL, NULL, &status);
    if (!name)
        return status == -1 ? NULL : strdup(symbol);
    char *end = parameters(name);
    if (end)
        *end = '\0';
    if (strncmp(name, returns, sizeof returns - 1) == 0)
        memmove(name, name + sizeof returns - 1, strlen(name + sizeof returns - 1) + 1);
    return name;
}
