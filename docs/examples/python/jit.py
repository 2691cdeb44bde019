"""The lectures' kernels, written in Python and compiled by Numba."""
from numba import cuda


@cuda.jit
def product(a, b, c):
    row, column = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = cuda.float32(0)
        for p in range(a.shape[1]):
            total += a[row, p] * b[p, column]
        c[row, column] = total


@cuda.jit
def gray_pixels(rgb, gray):
    image, y, x = cuda.grid(3)
    if image < gray.shape[0] and y < gray.shape[1] and x < gray.shape[2]:
        weighted = 2989 * int(rgb[image, 0, y, x]) + 5870 * int(rgb[image, 1, y, x]) + 1140 * int(rgb[image, 2, y, x])
        gray[image, y, x] = (weighted + 5000) // 10000


def matmul_numba(a, b, c, m, n, stream):
    product[((m + 15) // 16, (n + 15) // 16), (16, 16), stream](a, b, c)


def grayscale_numba(rgb, gray, images, height, width, stream):
    gray_pixels[(images, (height + 15) // 16, (width + 15) // 16), (1, 16, 16), stream](rgb, gray)
