"""Fails if two texts of an SVG that gnuplot made cover each other, or one leaves the picture: overlaps.py FILE.svg ..."""
import re
import sys
import unicodedata

PLACE = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)"[^>]*font-family="([^"]*)"[^>]*font-size="([\d.]+)"'
                   r'[^>]*text-anchor="(\w+)"')
TEXT = re.compile(r"<text>(.*)</text>")
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def letter(c):
    """Of DejaVu Sans, roughly, in parts of the font's size."""
    if unicodedata.east_asian_width(c) in "WF":
        return 1.0
    return 0.33 if c in "ijl.,:;|'()[] /" else 0.41 if c in "ftr-" else 0.85 if c in "mwMW%" else 0.6


def width(text, family, font_size):
    plain = re.sub(r"&[a-z]+;", "x", re.sub(r"<[^>]*>", "", text))
    return font_size * sum(0.6 if "Mono" in family else letter(c) for c in plain)


def boxes(path):
    with open(path, encoding="utf-8") as file:
        content = file.read()
    place = None
    found = []
    for line in content.splitlines():
        match = PLACE.search(line)
        if match:
            place = match
        match = TEXT.search(line)
        if match and place:
            x, y, size = float(place[1]), float(place[2]), float(place[4])
            wide = width(match[1], place[3], size)
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[place[5]]
            if match[1].strip():
                found.append((left, y - 0.7 * size, left + wide, y, match[1]))
    page = SIZE.search(content)
    return found, (float(page[1]), float(page[2]))


def main():
    failures = checked = 0
    for path in sys.argv[1:]:
        found, (page_width, page_height) = boxes(path)
        checked += len(found)
        for i, a in enumerate(found):
            if a[0] < -1 or a[1] < -1 or a[2] > page_width + 1 or a[3] > page_height + 1:
                print(f"{path}: '{a[4]}' leaves the picture")
                failures += 1
            for b in found[:i]:
                if min(a[2], b[2]) - max(a[0], b[0]) > 1.5 and min(a[3], b[3]) - max(a[1], b[1]) > 1.5:
                    print(f"{path}: '{a[4]}' covers '{b[4]}'")
                    failures += 1
    print(f"{checked} texts")
    sys.exit(failures > 0 or checked == 0)


main()
