"""Prints --shape flags of 40 products that nobody chose: each size as likely small as large, from 1 to 200,000, N up to 100 (narrow)
or from 17 on (general), of at most 0.6 GB and 3e11 products."""
import math
import random
import sys

COUNT, LARGEST, BYTES_MOST, PRODUCTS_MOST = 40, 200_000, 6e8, 3e11
COLUMNS = {"narrow": (1, 100), "general": (17, LARGEST)}


def draw(numbers, least, most):
    return round(math.exp(numbers.uniform(math.log(least), math.log(most))))


def shapes(kind, seed):
    numbers, found = random.Random(f"{kind} {seed}"), []
    while len(found) < COUNT:
        m, k, n = draw(numbers, 1, LARGEST), draw(numbers, 1, LARGEST), draw(numbers, *COLUMNS[kind])
        if 4 * (m * k + k * n + m * n) <= BYTES_MOST and m * k * n <= PRODUCTS_MOST:
            found.append(f"{m}x{k}x{n}")
    return found


if __name__ == "__main__":
    print(*(f"--shape={shape}" for shape in shapes(sys.argv[1], sys.argv[2])), sep="\n")
