/* Compiled kernels, kept from run to run in $XDG_CACHE_HOME/rungbench, or ~/.cache/rungbench.
 *
 * KEY.so is a shared object, followed by the list of files that its source includes and by a seal: the digest of KEY,
 * of those files' contents and of the object. What is not as it was written is not found, and a file appears under its
 * name when it is complete; so processes and machines can share a cache. */
#pragma once

#include "compiler.h"

enum { CACHE_OBJECTS_MAX = 64 };

struct cache {
    char path[PATH_MAX];
    int folder; /* -1: it is not used */
    struct error reason;
};

/* Opens the folder, and makes it where it is missing. One that belongs to others, or that others may write to, is not
 * used: what lies there runs. */
void cache_open(struct cache *cache);
void cache_close(struct cache *cache);

/* The object with that key, if none of the included files has changed; free() it. It is then among the newest. NULL:
 * there is none. */
char *cache_find(const struct cache *cache, const char key[DIGEST_HEX], size_t *size);

/* Keeps what was compiled, and removes the oldest of our files where there are too many. Not where an included file was
 * changed after the compiler began: it may have read what was there before. False, with the reason. */
bool cache_keep(const struct cache *cache, const char key[DIGEST_HEX], const struct compiled *made,
                struct error *error);
