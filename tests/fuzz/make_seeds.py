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


make_idx()
