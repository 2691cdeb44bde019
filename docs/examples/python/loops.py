"""Where the lectures begin: loops of Python, one number at a time."""


def matmul_loops(a, b, c, m, k, n):
    for i in range(m):
        for j in range(n):
            total = 0.0
            for p in range(k):
                total += a[i, p] * b[p, j]
            c[i, j] = total


def grayscale_loops(rgb, gray, images, height, width):
    for image in range(images):
        for y in range(height):
            for x in range(width):
                red, green, blue = rgb[image, 0, y, x], rgb[image, 1, y, x], rgb[image, 2, y, x]
                gray[image, y, x] = (2989 * red + 5870 * green + 1140 * blue + 5000) // 10000
