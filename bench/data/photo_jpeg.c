/* JPEG, by libjpeg-turbo. */
#include "picture.h"

#include <setjmp.h>
#include <stdio.h> /* which jpeglib.h needs */

#include <jpeglib.h>

enum { SCANS_MAX = 50 }; /* of a progressive image: each takes its time, however short it is; encoders make about ten */

/* The fields that libjpeg knows stand first, so that they lead here. */
struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    struct error *error;
};

/* libjpeg tells of an error, or of corrupt data for which it would make something up. */
static void fail(j_common_ptr jpeg)
{
    struct decoder *decoder = (struct decoder *)jpeg;
    char message[JMSG_LENGTH_MAX];
    decoder->errors.format_message(jpeg, message);
    error_set(decoder->error, "%s", message);
    longjmp(decoder->failed, 1);
}

static void count_scans(j_common_ptr jpeg)
{
    struct decoder *decoder = (struct decoder *)jpeg;
    if (decoder->jpeg.input_scan_number <= SCANS_MAX)
        return;
    error_set(decoder->error, "it has more than %d scans", SCANS_MAX);
    longjmp(decoder->failed, 1);
}

static bool decode(struct decoder *decoder, const uint8_t *bytes, size_t count, struct picture *picture)
{
    j_decompress_ptr jpeg = &decoder->jpeg;
    if (setjmp(decoder->failed) != 0)
        return false;
    jpeg_create_decompress(jpeg);
    jpeg->progress = &decoder->progress;
    jpeg->mem->max_memory_to_use = 1 << 30;
    jpeg_mem_src(jpeg, bytes, count);
    jpeg_read_header(jpeg, TRUE);
    if (!picture_begin(picture, jpeg->image_height, jpeg->image_width, decoder->error))
        return false;
    jpeg->out_color_space = JCS_RGB; /* libjpeg refuses where it cannot be that: CMYK */
    jpeg_start_decompress(jpeg);
    for (int i = 0; i < jpeg->num_components; i++) /* a file can end before the scans of a colour */
        if (!jpeg->comp_info[i].quant_table)
            return error_set(decoder->error, "the file is truncated: no data of channel %d", i + 1);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = picture->rgb + jpeg->output_scanline * picture->width * PICTURE_CHANNELS;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
    return true;
}

bool photo_decode_jpeg(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error)
{
    struct decoder decoder = {.progress.progress_monitor = count_scans, .error = error};
    decoder.jpeg.err = jpeg_std_error(&decoder.errors);
    decoder.errors.output_message = fail;
    bool ok = decode(&decoder, bytes, count, picture);
    jpeg_destroy_decompress(&decoder.jpeg);
    return ok;
}
