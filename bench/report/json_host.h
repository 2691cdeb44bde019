/* What Google Benchmark writes of the machine into a document's context; readers take each key for granted. */
#pragma once

#include <jansson.h>

#include <stdbool.h>

/* False: no memory. */
bool json_put_host(json_t *context);
