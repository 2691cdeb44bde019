/* Files of a user's own kernel. The first byte says which: 'd' a list of dependencies, 'o' a shared object, 's' source
 * in CUDA for the simulator, else source whose launches alone are spelt anew. */
#include "bench/own/cache.h"
#include "bench/own/form.h"
#include "bench/own/shared_object.h"
#include "bench/own/spelling.h"
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"
static const struct op *const ops[] = {&matmul_op, &zip_op};
static const struct registry registry = {.ops = ops, .op_count = 2};

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

/* Each line stays where it was. */
static void read_source(const char *text, size_t size, bool shared)
{
    struct form form = {.call.is_cuda = shared};
    struct error error = {""};
    char *blanked = strdup(text), *changed = spelling_change(text, "0", shared), *found = strdup(text);
    if (!found || !form_find(found, "input", &registry, NULL, NULL, &form, &error))
        fuzz_check_error(&error);
    if (!found || strlen(found) != size || count_lines(found) != count_lines(text))
        abort();
    if (blanked)
        blanked_make(blanked);
    if (!blanked || strlen(blanked) != size || count_lines(blanked) != count_lines(text))
        abort();
    if (!changed || count_lines(changed) != count_lines(text))
        abort();
    free(blanked);
    free(changed);
    free(found);
}

static void read_list(const char *text)
{
    struct digest digest;
    struct timespec newest;
    char hex[DIGEST_HEX];
    digest_start(&digest);
    (void)dependencies_add(text, &digest, &newest);
    digest_finish(&digest, hex);
}

static void read_object(const uint8_t *data, size_t size)
{
    struct shared_object object;
    struct error error = {""};
    size_t at = 0, sum = 0;
    if (!shared_object_read(fuzz_file(data, size), "input", &object, &error)) {
        fuzz_check_error(&error);
        return;
    }
    for (const char *name; (name = shared_object_next(&object, true, &at));)
        sum += strlen(name);
    if (sum > size * size)
        abort();
    shared_object_free(&object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == 'o') {
        read_object(data + 1, size - 1);
        return 0;
    }
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] == 'd')
        read_list(text);
    else if (strlen(text) == size - 1)
        read_source(text, size - 1, data[0] == 's');
    free(text);
    return 0;
}
