/* JPEG, by libjpeg-turbo. */
#include "picture.h"

#include <setjmp.h>
#include <stdio.h> /* which jpeglib.h needs */
#include <string.h>

#include <jpeglib.h>

enum {
    DENSEST = 512,  /* pixels per byte: a block of 8x8 takes a bit at least */
    SCANS_MAX = 50, /* of a progressive image; encoders make about ten */
    MEMORY_MAX = 1 << 30,
    SEGMENT_MAX = 0xFFFF,
};

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

/* Phones keep a picture as their sensor lies, and say in an EXIF block how it was held. */
static int orientation(const struct jpeg_marker_struct *marker)
{
    static const char exif[] = "Exif\0"; /* and another 0 */
    for (; marker; marker = marker->next)
        if (marker->data_length > sizeof exif && memcmp(marker->data, exif, sizeof exif) == 0)
            return picture_orientation(marker->data + sizeof exif, marker->data_length - sizeof exif);
    return 1;
}

static bool is_supported(const struct jpeg_decompress_struct *jpeg, struct error *error)
{
    if (jpeg->arith_code)
        return error_set(error, "it has arithmetic coding, expected Huffman coding");
    return jpeg->num_components == 1 || jpeg->num_components == 3 ||
           error_set(error, "it has %d channels, expected 1 or 3 (grey or colour, not CMYK)", jpeg->num_components);
}

/* A file can end before the scans of a colour. */
static bool has_all_channels(const struct jpeg_decompress_struct *jpeg, struct error *error)
{
    for (int i = 0; i < jpeg->num_components; i++)
        if (!jpeg->comp_info[i].quant_table)
            return error_set(error, "the file is truncated: no data of channel %d", i + 1);
    return true;
}

static void begin(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    j_decompress_ptr jpeg = &decoder->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->progress = &decoder->progress;
    jpeg->mem->max_memory_to_use = MEMORY_MAX;
    jpeg_mem_src(jpeg, bytes, count);
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, SEGMENT_MAX);
    jpeg_read_header(jpeg, TRUE);
}

static bool decode(struct decoder *decoder, const uint8_t *bytes, size_t count, struct picture *picture)
{
    j_decompress_ptr jpeg = &decoder->jpeg;
    if (setjmp(decoder->failed) != 0)
        return false;
    begin(decoder, bytes, count);
    if (!is_supported(jpeg, decoder->error) ||
        !picture_begin(picture, jpeg->image_height, jpeg->image_width, count, DENSEST, decoder->error))
        return false;
    picture->orientation = orientation(jpeg->marker_list);
    jpeg->out_color_space = JCS_RGB;
    jpeg_start_decompress(jpeg);
    if (!has_all_channels(jpeg, decoder->error))
        return false;
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
