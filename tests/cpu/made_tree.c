#include "made_tree.h"

#include <assert.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "tree.XXXXXX";

const char *tree_make(void)
{
    strcpy(root, "tree.XXXXXX");
    char *made = mkdtemp(root);
    assert(made);
    return made;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void tree_remove(void)
{
    int status = nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    assert(status == 0);
}

void tree_put(const char *path, const char *text)
{
    char whole[5000];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert(file);
    fputs(text, file);
    fclose(file);
}

void tree_take(const char *path)
{
    char whole[5000];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    int status = remove(whole);
    assert(status == 0);
}
