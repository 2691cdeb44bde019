/* What tells one content from another: SHA-256, by libcrypto. */
#pragma once

#include <stddef.h>

enum { DIGEST_HEX = 65 }; /* 64 hex digits, and a zero */

/* Without memory, or with a libcrypto that may not compute it, the program ends. */
void digest_of(const void *bytes, size_t size, char hex[DIGEST_HEX]);

/* The same piece by piece. digest_finish() must follow. */
struct digest {
    void *state;
};
void digest_start(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t size);
void digest_add_text(struct digest *digest, const char *text); /* with its zero, so that "ab", "c" is not "a", "bc" */
void digest_finish(struct digest *digest, char hex[DIGEST_HEX]);
