#include "symbol_name.h"

#include "memory.h"

#include <string.h>

/* From the C++ runtime (Itanium C++ ABI, section 3.4). */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

char *symbol_name(const char *symbol)
{
    char *name = __cxa_demangle(symbol, NULL, NULL, NULL);
    return name ? name : memory_print("%s", symbol);
}

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

char *symbol_function(const char *symbol)
{
    static const char returns[] = "void "; /* the mangled name of a template has its return type */
    char *name = symbol_name(symbol), *end = parameters(name);
    if (end)
        *end = '\0';
    if (strncmp(name, returns, sizeof returns - 1) == 0)
        memmove(name, name + sizeof returns - 1, strlen(name + sizeof returns - 1) + 1);
    return name;
}
