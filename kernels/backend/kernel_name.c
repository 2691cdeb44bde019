#include "kernel_name.h"

#include <stdlib.h>
#include <string.h>

/* From the C++ runtime (Itanium C++ ABI, section 3.4). */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

/* Where the parameters begin: at the parenthesis that matches the last one. */
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
    static const char returns[] = "void "; /* the mangled name of a template has its return type */
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
