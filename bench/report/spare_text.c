#include "spare_text.h"

#include "bench/base/standard_streams.h"

#include <stdlib.h>

struct spare_text {
    struct reporter text;
    bool has_failed;
    struct error error; /* the first */
};

static bool put_result(void *self, const struct result *result, struct error *error)
{
    struct spare_text *spare = self;
    (void)error;
    if (!spare->has_failed)
        spare->has_failed = !spare->text.result(spare->text.self, result, &spare->error);
    return true;
}

static bool end(void *self, struct error *error)
{
    struct spare_text *spare = self;
    struct error more;
    bool ok = spare->text.end(spare->text.self, spare->has_failed ? &more : &spare->error) && !spare->has_failed;
    ok = ok || standard_output_is_unread() || error_set(error, "%s", spare->error.text);
    free(spare);
    return ok;
}

struct reporter spare_text_make(const struct reporter *text)
{
    struct spare_text *spare = calloc(1, sizeof *spare);
    if (spare)
        spare->text = *text;
    return (struct reporter){.self = spare, .result = put_result, .end = end};
}
