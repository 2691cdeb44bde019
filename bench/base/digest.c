#include "digest.h"

#include "memory.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

static void must(int status)
{
    memory_have(status == 1 ? &status : NULL);
}

void digest_start(struct digest *digest)
{
    digest->state = memory_have(EVP_MD_CTX_new());
    must(EVP_DigestInit_ex(digest->state, EVP_sha256(), NULL));
}

void digest_add(struct digest *digest, const void *bytes, size_t size)
{
    must(EVP_DigestUpdate(digest->state, bytes, size));
}

void digest_add_text(struct digest *digest, const char *text)
{
    digest_add(digest, text, strlen(text) + 1);
}

void digest_finish(struct digest *digest, char hex[DIGEST_HEX])
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    must(EVP_DigestFinal_ex(digest->state, bytes, NULL));
    EVP_MD_CTX_free(digest->state);
    for (size_t i = 0; i < DIGEST_HEX / 2; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

void digest_of(const void *bytes, size_t size, char hex[DIGEST_HEX])
{
    struct digest digest;
    digest_start(&digest);
    digest_add(&digest, bytes, size);
    digest_finish(&digest, hex);
}
