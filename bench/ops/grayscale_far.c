#include "grayscale_far.h"

enum { IMAGES, HEIGHT, WIDTH };
enum { RGB, GRAY };
enum { CHANNELS = 3, END_PIXELS = 40 };

/* Two planes have little more than 2^32 pixels, or vectors: an index of 32 bits, or a grid made of one, begins again
 * near 0. */
const struct workload grayscale_far[GRAYSCALE_FAR] = {
    {"2 of 46341x46341", {2, 46341, 46341}, 0},
    {"2 of 32768x1048577", {2, 32768, 1048577}, 0},
    {"2 of 2097152x2097152", {2, 2097152, 2097152}, 0}, /* has 2^31 blocks of 4,096 pixels: grids end there */
};

/* The last pixels of the last image are an image of their own, one row high. */
void grayscale_far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    size_t images = (size_t)workload->size[IMAGES];
    size_t plane = (size_t)workload->size[HEIGHT] * (size_t)workload->size[WIDTH];
    *end = (struct workload){.name = "its end", .size = {1, 1, END_PIXELS}};
    windows[RGB] = (struct window){((images - 1) * CHANNELS + 1) * plane - END_PIXELS, CHANNELS, END_PIXELS, plane};
    windows[GRAY] = (struct window){images * plane - END_PIXELS, 1, END_PIXELS, 0};
}
