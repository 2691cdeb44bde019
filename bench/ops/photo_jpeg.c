/* JPEG, by libjpeg-turbo. */
#include "photo_formats.h"

#include <setjmp.h>
#include <stdio.h> /* which jpeglib.h needs */

#include <jerror.h>
#include <jpeglib.h>

enum {
    DENSEST = 512,  /* pixels per byte: a block of 8x8 takes a bit at least */
    SCANS_MAX = 50, /* of a progressive image; encoders make about ten */
    MEMORY_MAX = 1 << 30,
};

/* The fields that libjpeg knows stand first, so that they lead here. It does not return from an error. */
struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    struct error *error;
};

static void fail(j_common_ptr jpeg)
{
    struct decoder *decoder = (struct decoder *)jpeg;
    char message[JMSG_LENGTH_MAX];
    decoder->errors.format_message(jpeg, message);
    error_set(decoder->error, "%s", message);
    longjmp(decoder->failed, 1);
}

/* A warning (below 0) says that the data is corrupt; libjpeg would make something up. */
static void heed(j_common_ptr jpeg, int level)
{
    if (level < 0)
        fail(jpeg);
}

static void count_scans(j_common_ptr jpeg)
{
    struct decoder *decoder = (struct decoder *)jpeg;
    if (decoder->jpeg.input_scan_number <= SCANS_MAX)
        return;
    error_set(decoder->error, "it has more than %d scans", SCANS_MAX);
    longjmp(decoder->failed, 1);
}

static bool begin(struct decoder *decoder, const uint8_t *bytes, size_t count, struct photo *photo)
{
    j_decompress_ptr jpeg = &decoder->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->progress = &decoder->progress;
    jpeg->mem->max_memory_to_use = MEMORY_MAX;
    jpeg_mem_src(jpeg, bytes, count);
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->arith_code)
        return error_set(decoder->error, "it has arithmetic coding, expected Huffman coding");
    if (jpeg->num_components != 1 && jpeg->num_components != 3)
        return error_set(decoder->error, "it has %d channels, expected 1 or 3", jpeg->num_components);
    jpeg->out_color_space = JCS_RGB;
    return photo_begin(photo, jpeg->image_height, jpeg->image_width, count, DENSEST, decoder->error);
}

/* A file can end before the scans of a colour. */
static bool has_all_channels(struct decoder *decoder)
{
    for (int i = 0; i < decoder->jpeg.num_components; i++)
        if (!decoder->jpeg.comp_info[i].quant_table)
            return error_set(decoder->error, "the file is truncated: no data of channel %d", i + 1);
    return true;
}

static void read_rows(j_decompress_ptr jpeg, struct photo *photo)
{
    JSAMPARRAY row = jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE,
                                             jpeg->output_width * (JDIMENSION)jpeg->output_components, 1);
    while (jpeg->output_scanline < jpeg->output_height) {
        int64_t at = jpeg->output_scanline;
        jpeg_read_scanlines(jpeg, row, 1);
        photo_set_row(photo, at, row[0]);
    }
}

static bool decode(struct decoder *decoder, const uint8_t *bytes, size_t count, struct photo *photo)
{
    j_decompress_ptr jpeg = &decoder->jpeg;
    if (setjmp(decoder->failed) != 0)
        return false;
    if (!begin(decoder, bytes, count, photo))
        return false;
    jpeg_start_decompress(jpeg);
    if (!has_all_channels(decoder))
        return false;
    read_rows(jpeg, photo);
    jpeg_finish_decompress(jpeg);
    return true;
}

bool photo_decode_jpeg(const uint8_t *bytes, size_t count, struct photo *photo, struct error *error)
{
    struct decoder decoder = {.progress.progress_monitor = count_scans, .error = error};
    decoder.jpeg.err = jpeg_std_error(&decoder.errors);
    decoder.errors.error_exit = fail;
    decoder.errors.emit_message = heed;
    bool ok = decode(&decoder, bytes, count, photo);
    jpeg_destroy_decompress(&decoder.jpeg);
    return ok;
}
