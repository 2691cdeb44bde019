#include "long_text.h"
#include "tests/unit.h"

#include <sys/resource.h>

void check_long_texts(const char *const *pieces, size_t count, void (*check)(const char *text))
{
    enum { SIZE = 1000000 };
    assert_int_equal(setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20}), 0);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(pieces[i]), size = SIZE / length * length;
        char *text = calloc(size + 1, 1);
        assert_non_null(text);
        for (size_t at = 0; at < size; at += length)
            memcpy(text + at, pieces[i], length);
        check(text);
        free(text);
    }
}
