#include "digest.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

void digest_start(struct digest *digest)
{
    digest->state = EVP_MD_CTX_new();
    digest->failed = !digest->state || EVP_DigestInit_ex(digest->state, EVP_sha256(), NULL) != 1;
}

void digest_add(struct digest *digest, const void *bytes, size_t size)
{
    digest->failed = digest->failed || EVP_DigestUpdate(digest->state, bytes, size) != 1;
}

void digest_add_text(struct digest *digest, const char *text)
{
    digest_add(digest, text, strlen(text) + 1);
}

bool digest_finish(struct digest *digest, char hex[DIGEST_HEX])
{
    unsigned char bytes[EVP_MAX_MD_SIZE] = {0};
    digest->failed = digest->failed || EVP_DigestFinal_ex(digest->state, bytes, NULL) != 1;
    EVP_MD_CTX_free(digest->state);
    for (size_t i = 0; i < DIGEST_HEX / 2; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    return !digest->failed;
}

bool digest_of(const void *bytes, size_t size, char hex[DIGEST_HEX])
{
    struct digest digest;
    digest_start(&digest);
    digest_add(&digest, bytes, size);
    return digest_finish(&digest, hex);
}
