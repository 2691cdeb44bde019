#include "file_kind.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* The first that fits. */
static const struct {
    size_t at;
    const char *bytes;
    size_t length;
    const char *kind;
} kinds[] = {
#define AT(place, bytes, kind)                \
    {                                         \
        place, bytes, sizeof(bytes) - 1, kind \
    }
    AT(0, "\x89PNG", "a PNG image"),
    AT(0, "\xFF\xD8\xFF", "a JPEG image"),
    AT(8, "WEBP", "a WebP image"),
    AT(4, "ftypavi", "an AVIF image"),
    AT(4, "ftyphe", "a HEIC image"),
    AT(4, "ftypm", "a HEIF image or a video"),
    AT(4, "ftyp", "a video"),
    AT(4, "JXL ", "a JPEG XL image"),
    AT(0, "\xFF\x0A", "a JPEG XL image"),
    AT(4, "jP  ", "a JPEG 2000 image"),
    AT(0, "GIF8", "a GIF image"),
    AT(0, "II*\0", "a TIFF image"),
    AT(0, "MM\0*", "a TIFF image"),
    AT(0, "BM", "a BMP image"),
    AT(0, "\0\0\1\0", "an icon"),
    AT(0, "8BPS", "a Photoshop image"),
    AT(0, "P1", "a PBM image, of black and white"),
    AT(0, "P4", "a PBM image, of black and white"),
    AT(0, "P7", "a PAM image"),
    AT(0, "<svg", "an SVG image"),
    AT(0, "%PDF", "a PDF file"),
    AT(0, "PK\3\4", "a ZIP archive"),
    AT(0, "\x1F\x8B", "a gzip file"),
    AT(0, "BZh", "a bzip2 file"),
    AT(0, "\xFD\x37zXZ", "an xz file"),
    AT(0, "7z\xBC\xAF", "a 7z archive"),
    AT(0, "\x28\xB5\x2F\xFD", "a zstd file"),
    AT(0, "\x93NUMPY", "an array of NumPy"),
    AT(0, "version https://git-lfs", "a pointer of Git LFS to the file"),
    AT(0, "<?xml", "XML, as servers send for an error"),
    AT(0, "<", "HTML, as servers send for an error"),
};

static bool is_text(const char *start, size_t count)
{
    for (size_t i = 0; i < count && i < FILE_KIND_BYTES; i++)
        if (start[i] == '\0' || (iscntrl((unsigned char)start[i]) && !strchr("\t\n\r", start[i])))
            return false;
    return count > 0;
}

const char *file_kind(const char *start, size_t count)
{
    const size_t mark = strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* of the order of bytes */
    const size_t skipped = mark + strspn(start + mark, " \t\r\n");
    start += skipped;
    count -= skipped;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (count >= kinds[i].at + kinds[i].length && memcmp(start + kinds[i].at, kinds[i].bytes, kinds[i].length) == 0)
            return kinds[i].kind;
    return is_text(start, count) ? "text" : NULL;
}
