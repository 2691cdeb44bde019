#include "made_tree.h"

#include "tests/unit.h"

int tree_make(void **state)
{
    return system("rm -rf " TREE " && mkdir " TREE);
}

void tree_put(const char *path, const char *text)
{
    char whole[5000];
    snprintf(whole, sizeof whole, TREE "%s", path);
    for (char *slash = whole + strlen(TREE); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    file_put(whole, text);
}

void tree_take(const char *path)
{
    char whole[5000];
    snprintf(whole, sizeof whole, TREE "%s", path);
    assert_int_equal(remove(whole), 0);
}
