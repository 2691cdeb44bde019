#!/usr/bin/env python3
"""Makes the seeds of the binary formats: make_seeds.py FOLDER, which is tests/fuzz/seeds. Those of text are made by hand."""
import gzip
import pathlib
import struct
import sys
import zlib

folder = pathlib.Path(sys.argv[1])


def write(name, *parts):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(parts))


def idx(*sizes, data=None):
    count = 1
    for size in sizes:
        count *= size
    data = bytes(i % 251 for i in range(count)) if data is None else data
    return struct.pack(f">I{len(sizes)}I", 0x0800 + len(sizes), *sizes) + data


def zipped(data):
    return gzip.compress(data, mtime=0)


def make_idx():
    images = idx(2, 3, 4)
    whole = zipped(images)
    write("idx/images", images)
    write("idx/labels", idx(10))
    write("idx/images.gz", whole)
    write("idx/labels.gz", zipped(idx(10)))
    write("idx/joined.gz", zipped(images[:9]), zipped(images[9:]))
    write("idx/stored.gz", gzip.compress(images, 0, mtime=0))
    write("idx/no-checksum.gz", whole[:-8])
    write("idx/half-checksum.gz", whole[:-3])
    write("idx/wrong-checksum.gz", whole[:-8], b"\0\0\0\0", whole[-4:])
    write("idx/rubbish-behind.gz", whole, b"rubbish")
    write("idx/zeros-behind.gz", whole, bytes(16))
    write("idx/half.gz", whole[: len(whole) // 2])
    write("idx/bomb.gz", zipped(idx(1 << 10, 16, 16, data=bytes(1 << 18))))
    write("idx/bomb-behind.gz", zipped(images + bytes(1 << 18)))
    write("idx/promises-much", idx(1 << 20, 28, 28, data=b"few"))
    write("idx/promises-much.gz", zipped(idx(1 << 10, 1 << 10, 1 << 10, data=b"few")))
    write("idx/product-of-0", idx(1 << 16, 1 << 16, 1 << 16, data=b"few"))
    write("idx/empty-dimension", idx(0, 28, 28))
    write("idx/floats", b"\0\0\x0d", images[3:])


def make_ppm():
    write("photo/small.ppm", b"P6\n# by hand\n3 2\n255\n", bytes(range(18)))
    write("photo/short.ppm", b"P6 3 2 255\n", bytes(17))
    write("photo/large.ppm", b"P6 16384 16384 255\nfew")
    write("photo/overflow.ppm", b"P6 4294967297 4294967297 255\nfew")
    write("photo/comment.ppm", b"P6 #" + b"#" * 40)
    write("photo/text.ppm", b"P3 2 1 9\n1 2 3 # none\n4 5 9")
    write("photo/deep.pgm", b"P5 2 1 1000\n\0\xff\3\xe8")


def chunk(kind, data, spoilt=0):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ spoilt)


def png(width, height, depth, kind, rows, interlace=0, before=b"", end=chunk(b"IEND", b"")):
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", zlib.compress(rows, 9)) + end


def passes(width, height):
    """The rows of the seven passes of an interlaced image."""
    rows = b""
    for x, y, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        w, h = len(range(x, width, dx)), len(range(y, height, dy))
        rows += (b"\0" + bytes([10 * x + y, 20, 30]) * w) * h if w else b""
    return rows


def make_png():
    gray, rgb, palette, gray_alpha, rgb_alpha = 0, 2, 3, 4, 6
    rows = b"".join(bytes([y % 5]) + bytes((7 * x + 30 * y) % 256 for x in range(12)) for y in range(4))
    write("photo/rgb.png", png(4, 4, 8, rgb, rows))
    write("photo/gray.png", png(12, 4, 8, gray, rows))
    write("photo/rgb16.png", png(2, 4, 16, rgb, rows))
    write("photo/gray-alpha.png", png(6, 4, 8, gray_alpha, rows))
    write("photo/rgb-alpha.png", png(3, 4, 8, rgb_alpha, rows))
    write("photo/bits.png", png(96, 4, 1, gray, rows))
    colours = chunk(b"PLTE", bytes(range(48))) + chunk(b"tRNS", b"\0\x80")
    write("photo/palette.png", png(24, 4, 4, palette, rows, before=colours))
    write("photo/palette-short.png", png(12, 4, 8, palette, rows, before=chunk(b"PLTE", bytes(6))))
    write("photo/interlaced.png", png(8, 8, 8, rgb, passes(8, 8), interlace=1))
    write("photo/interlaced-small.png", png(3, 2, 8, rgb, passes(3, 2), interlace=1))
    text = chunk(b"tEXt", b"Comment\0text") + chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(1 << 16), 9))
    write("photo/text.png", png(4, 4, 8, rgb, rows, before=text))
    write("photo/text-spoilt.png", png(4, 4, 8, rgb, rows, before=chunk(b"tEXt", b"Comment\0text", spoilt=1)))
    turned = b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0"
    write("photo/turned.png", png(4, 4, 8, rgb, rows, before=chunk(b"eXIf", turned)))
    write("photo/exif-short.png", png(4, 4, 8, rgb, rows, before=chunk(b"eXIf", turned[:5])))
    write("photo/few-rows.png", png(4, 40, 8, rgb, rows))
    write("photo/many-rows.png", png(4, 2, 8, rgb, rows))
    write("photo/no-end.png", png(4, 4, 8, rgb, rows, end=b""))
    write("photo/large.png", png(16384, 16384, 16, rgb_alpha, rows))
    write("photo/bomb.png", png(4096, 512, 1, gray, bytes((4096 // 8 + 1) * 512)))


def segment(marker, *parts):
    data = b"".join(parts)
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


START, END, PICTURE, PROGRESSIVE, CODES, SCAN, QUANTA, RESTART = 0xD8, 0xD9, 0xC0, 0xC2, 0xC4, 0xDA, 0xDB, 0xDD


def codes(table, *symbols):
    """A Huffman table with one code of each length from 1, and a symbol for each."""
    return bytes([table]) + bytes(int(i < len(symbols)) for i in range(16)) + bytes(symbols)


def frame(marker, height, width, *samplings):
    parts = b"".join(bytes([i + 1, s, 0]) for i, s in enumerate(samplings))
    return segment(marker, struct.pack(">BHHB", 8, height, width, len(samplings)), parts)


def scan(data, channels, first=0, last=63, bits=0):
    ids = b"".join(bytes([c, 0]) for c in channels)
    return segment(SCAN, bytes([len(channels)]), ids, bytes([first, last, bits])) + data


def jpeg(*parts, end=b"\xff\xd9"):
    # DC differences of 0 and 2 bits, AC: end of block, or one bit behind a run of 0 or 15
    tables = segment(QUANTA, b"\0", bytes([1] * 64)) + segment(CODES, codes(0, 0, 2), codes(0x10, 0, 1, 0xF1))
    return b"\xff\xd8" + tables + b"".join(parts) + end


def make_jpeg():
    flat = bytes([0b00000000] * 40)
    busy = (bytes([0b01001010, 0b00100101, 0b00101001, 0b01010010]) * 13)[:50]  # without 11, which is no code
    gray, colour = frame(PICTURE, 8, 8, 0x11), frame(PICTURE, 16, 16, 0x22, 0x11, 0x11)
    write("photo/gray.jpg", jpeg(gray, scan(flat[:1], [1])))
    write("photo/colour.jpg", jpeg(colour, scan(flat[:2], [1, 2, 3])))
    write("photo/busy.jpg", jpeg(frame(PICTURE, 40, 40, 0x11, 0x11, 0x11), scan(busy, [1, 2, 3])))
    write("photo/restarts.jpg", jpeg(segment(RESTART, b"\0\1"), frame(PICTURE, 8, 24, 0x11),
                                     scan(b"\0\xff\xd0\0\xff\xd1\0", [1])))
    write("photo/channels.jpg", jpeg(frame(PICTURE, 8, 8, 0x11, 0x11, 0x11), *(scan(b"\0", [c]) for c in (1, 2, 3))))
    write("photo/channel-missing.jpg", jpeg(frame(PICTURE, 8, 8, 0x11, 0x11, 0x11), scan(b"\0", [1]), scan(b"\0", [2])))
    first = scan(b"\0", [1], 0, 0, 1)
    coefficients = [scan(b"\0", [1], i, i) for i in range(1, 64)]
    progressive = frame(PROGRESSIVE, 8, 8, 0x11)
    write("photo/progressive.jpg", jpeg(progressive, first, scan(b"\0", [1], 0, 0, 0x10), scan(b"\0", [1], 1)))
    write("photo/progressive-colour.jpg", jpeg(frame(PROGRESSIVE, 16, 16, 0x22, 0x11, 0x11),
                                               scan(flat[:2], [1, 2, 3], 0, 0), scan(flat[:1], [1], 1, 5, 1)))
    write("photo/scans.jpg", jpeg(progressive, first, *coefficients))
    write("photo/same-scan.jpg", jpeg(progressive, *[first] * 60))
    write("photo/no-end.jpg", jpeg(gray, scan(flat[:1], [1]), end=b""))
    write("photo/large.jpg", jpeg(frame(PICTURE, 16384, 16384, 0x11), scan(flat, [1])))
    write("photo/large-progressive.jpg", jpeg(frame(PROGRESSIVE, 160, 200, 0x11, 0x11, 0x11), first, *coefficients))
    write("photo/too-large.jpg", jpeg(frame(PICTURE, 65535, 65535, 0x11), scan(flat, [1])))
    write("photo/no-codes.jpg", b"\xff\xd8", gray, scan(flat, [1]), b"\xff\xd9")
    write("photo/full-codes.jpg", jpeg(segment(CODES, b"\0", b"\xff" * 16, bytes(255)), gray, scan(flat, [1])))
    write("photo/symbols-beyond.jpg", jpeg(segment(CODES, codes(0, 0xFF, 0xFF), codes(0x10, 0xFF, 0xFF)), gray,
                                           scan(busy, [1])))
    write("photo/table-beyond.jpg", jpeg(segment(CODES, codes(0x0F, 0)), gray, scan(flat, [1])))
    write("photo/quanta-beyond.jpg", jpeg(segment(QUANTA, b"\x0f", bytes(64)), gray, scan(flat, [1])))
    write("photo/sampling.jpg", jpeg(frame(PICTURE, 8, 8, 0xFF, 0x00, 0x11), scan(flat, [1, 2, 3])))
    write("photo/four.jpg", jpeg(frame(PICTURE, 8, 8, 0x11, 0x11, 0x11, 0x11), scan(flat[:2], [1, 2, 3, 4])))
    write("photo/short-segment.jpg", jpeg(gray, b"\xff\xda\0\2"))


def section(name, kind, offset, size, link=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, link, 0, 8, 24)


def make_own():
    """A shared object with one function, matmul_own."""
    texts = b"\0matmul_own\0.dynsym\0.dynstr".ljust(32, b"\0")
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000, 8)
    header = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, 64 + 32 + 48, 0, 64, 0, 0, 64, 3, 2)
    write("own/object", b"o", header, texts, symbols,
          section(0, 0, 0, 0), section(12, 11, 96, 48, link=2), section(20, 3, 64, 32))


make_idx()
make_own()
make_ppm()
make_png()
make_jpeg()
