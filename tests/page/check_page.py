# Compares a page with what it was made of: check_page.py PAGE SUMMARY CSV. Prints what differs; exit status 1 if anything does.
import base64
import hashlib
import json
import math
import pathlib
import re
import sys
import urllib.parse

from html_tree import Tree

page_file, summary_file, csv_file = map(pathlib.Path, sys.argv[1:])
source = page_file.read_text(encoding="utf-8")
summary = json.loads(summary_file.read_text())
tree = Tree(source)
top, problems = tree.top, tree.problems
NAME = "op", "workload", "variant", "mode"
UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def check(fine, text):
    if not fine:
        problems.append(text)


def seen(text):
    """A text of the summary as it must stand in the page."""
    return str(text).replace("\u202e", "\\u202e").replace("\0", "\\u0000").replace("\ud800", "\\ud800").replace("\n", " ")


def number(text):
    found = re.match(r"~?([0-9][0-9,.]*(e[+-]?[0-9]+)?)", text)
    return float(found[1].replace(",", "")) if found else math.nan


def near(text, value, off=0.0055):
    return abs(number(text) - value) <= off * abs(value)


def digest(element):
    return "'sha256-" + base64.b64encode(hashlib.sha256(element.text().encode()).digest()).decode() + "'"


def check_that_it_stands_alone():
    check(source.startswith("<!DOCTYPE html>\n") and source.endswith("</html>\n"), "does not begin and end as a page")
    check(not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", source), "characters that nobody sees")
    check([len(list(top.all(tag))) for tag in ("html", "main", "h1", "style", "script")] == [1] * 5, "elements that are no part of it")
    check(not list(top.all("iframe", "object", "embed", "base", "form")), "an element that fetches")
    style, script = next(top.all("style")), next(top.all("script"))
    policies = [meta.get("content") for meta in top.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    check(policies == [f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; img-src data:; "
                       "base-uri 'none'; form-action 'none'"], f"the policy is {policies}")
    ids = [element.get("id") for element in top.all() if element.get("id")]
    check(len(ids) == len(set(ids)), "an id stands twice")
    for element in top.all():
        for name, value in element.attributes.items():
            check(not name.startswith("on") and name not in ("style", "srcset", "srcdoc", "action"), f"<{element.tag} {name}>")
            if name in ("src", "data-src"):
                check(value.startswith("data:image/svg+xml;"), f"src is {value[:60]}")
            elif name == "href":
                inside = value[0] == "#" and value[1:] in ids
                check(inside or element.tag == "link" and value == "data:," or "download" in element.attributes and
                      value.startswith("data:text/csv;") or value.startswith("https://github.com/"), f"a link to {value[:60]}")
    check(all(th.get("scope") for th in top.all("th")) and "hidden" in top.by_id("controls").attributes, "scope, controls")


def check_charts():
    for figure in top.all("figure"):
        stem = figure.get("id").removeprefix("chart-")
        image = next(figure.all("img"))
        said = image.get("alt")
        svg = urllib.parse.unquote_to_bytes((image.get("src") or image.get("data-src")).partition(",")[2]).decode()
        light, dark = (re.sub(r"\s+", "", (page_file.parent / (stem + end)).read_text()) for end in (".svg", "-dark.svg"))
        style = re.search("<style>(.*)</style>", svg)
        bare = re.sub(r"\s+", "", svg.replace(style[0], ""))
        check(re.sub("<g[^>]*></g>", "", light) == bare, f"{stem}: another picture")
        colors = set(re.findall(r"#\w{6}|rgb\([^)]*\)", dark)) - set(re.findall(r"#\w{6}|rgb\([^)]*\)", light))
        check(colors and all(color in style[1].replace(" ", "") for color in colors), f"{stem}: other colours in the dark")
        parts = "Title", "Subtitle", "Caption"
        check(all(f"{part} of {stem}" in said for part in parts), f"{stem}: {said}")
        check(image.get("width") == "440" and image.get("height") == "300", f"{stem}: no size")


def check_row(row, element):
    cells = list(element.all("th", "td"))
    name = "/".join(row[part] for part in NAME)
    texts = [cell.text() for cell in cells]
    rung, workload, mode, time, speedup, library, best_cpu, rate, ceiling, error, marks, place = cells
    check([element.get("data-" + part) for part in NAME] == [seen(row[part]) for part in NAME], f"{name}: another row")
    check(texts[0].startswith(seen(row["variant"])) and seen(row.get("summary", "")) in texts[0], f"{name}: rung {texts[0]}")
    check(texts[1:3] == [seen(f"{row['op']}/{row['workload']}"), seen(row["mode"])], f"{name}: {texts[1:3]}")
    check(seen(name) in element.get("title"), f"{name}: nothing to see for who points at it")
    badges = [badge.text() for badge in rung.all("em")]
    check([row["best"], row["tied"], row["fair"] and "approximate" in row] == [badge in badges for badge in ("best", "tied", "no rank")],
          f"{name}: badges are {badges}")
    check("unfair" not in row or len(badges) == 1 and seen(row.get("runs_as") or row["unfair"]) in badges[0], f"{name}: not said to be unfair")
    check(seen(row.get("reason", "")) in texts[0] and all(seen(m) in texts[10] for m in row.get("marks", "").split()), f"{name}: why")
    check(seen(row.get("source", "")) in texts[11], f"{name}: source {texts[11]}")
    measured = [("time_median_s", time), ("speedup", speedup), ("over_library", library), ("over_best_cpu", best_cpu),
                ("ceiling_pct", ceiling), ("gflops" if "gflops" in row else "bandwidth_gbs", rate)]
    timed = row["status"] == "ok" and "time_median_s" in row
    for column, cell in measured:
        value = cell.get("data-value")
        check(value == (str(row[column]) if timed and column in row else ""), f"{name}: {column} is {value}")
        if value:
            unit = UNITS[re.search("[mµn]?s", cell.text())[0]] if column == "time_median_s" else 1
            rough = row.get(f"{column}_approximate", False)
            check(cell.text().startswith("~") == rough and
                  near(cell.text(), row[column] / unit, 0.052 if rough or row[column] < 9.995 and unit == 1 else 0.0055),
                  f"{name}: {column} of {value} shows {cell.text()}")
    for column, cell in (("speedup", speedup), ("over_library", library), ("over_best_cpu", best_cpu)):
        if timed and row.get(column + "_low", 0) != row.get(column + "_high", 0):
            spread = next(cell.all("small")).text().split("–")
            check(near(spread[0], row[column + "_low"], 0.06) and near(spread[1], row[column + "_high"]), f"{name}: spread {spread}")
    check("low_s" in row or not timed or "spread unknown" in time.text(), f"{name}: a spread from nowhere")
    if not timed:
        state = "wrong" if row.get("wrong") else "verified" if row["status"] == "ok" else row["status"]
        check(element.get("data-state") == time.text() == state, f"{name}: {time.text()} instead of {state}")
    if "max_abs_err" in row and "err_bound" in row:
        said = "exact" if row["max_abs_err"] == 0 else "of"
        share = 100 * row["max_abs_err"] / (row["err_bound"] or 1)
        check(said in error.text() and f"{row['err_bound']:.3g}" in error.text() and float(error.get("data-value")) == share,
              f"{name}: error {error.text()}")


def check_table():
    rows = list(next(top.by_id("rows").all("tbody")).all("tr"))
    check(len(rows) == len(summary["rows"]), f"{len(rows)} rows")
    for row, element in zip(summary["rows"], rows):
        check_row(row, element)


RIVALS = ("over_library", "library_rung"), ("over_best_cpu", "best_cpu_rung")
PLACES = []  # (x on the axis in per cent, ratio)


def check_gain(what, line, headline, key, rung):
    ratio, low, high = (headline.get(key + end) for end in ("", "_low", "_high"))
    said, number = line.text(), next(line.all("b")).text()
    range_said = next(line.all("small")).text()
    check(next(line.all("span")).text() == seen(rung) and near(number, ratio, 0.06), f"{what}: {said}")
    check(number.startswith("~") == headline.get(f"{key}_approximate", False), f"{what}: {number}")
    ends = range_said.split(",")[0].split("–")
    check("range unknown" in range_said if low is None else near(ends[0], low, 0.06) and near(ends[1], high, 0.06), f"{what}: range {range_said}")
    tied, slower = rung in headline["tied"], (high or ratio) < 1
    check([word in range_said for word in ("tied", "slower")] == [tied, slower and not tied], f"{what}: {range_said}")
    check(("bad" in line.get("class").split()) == (slower and not tied), f"{what}: a loss that does not look like one")
    dot, (interval,) = next(line.all("circle")), [each for each in line.all("line") if each.get("class") == "range"]
    check(("hollow" in (dot.get("class") or "")) == (number.startswith("~") or low is None), f"{what}: hollow")
    PLACES.extend((float(x.rstrip("%")), value) for x, value in
                  ((dot.get("cx"), ratio), (interval.get("x1"), low or ratio), (interval.get("x2"), high or ratio)))


def check_axis():
    """All stand on one logarithmic axis, and so do its ticks."""
    for text in top.by_id("cards").all("text"):
        PLACES.append((float(text.get("x").rstrip("%")), number(text.text())))
    one = {float(each.get("x1").rstrip("%")) for each in top.by_id("cards").all("line") if each.get("class") == "one"}
    check(len(one) <= 1 and (one or not [p for p in PLACES if p[1] != 1]), f"1x stands at {one}")
    places = sorted((math.log(value), x) for x, value in PLACES)
    if one and places[-1][0] > places[0][0]:
        slope = (places[-1][1] - places[0][1]) / (places[-1][0] - places[0][0])
        for log, x in (*places, *((0, x) for x in one)):
            check(0 <= x <= 100 and abs(places[0][1] + slope * (log - places[0][0]) - x) < 0.2, f"{math.exp(log)} stands at {x} %")


def check_cards():
    cards = list(top.by_id("cards").all("article"))
    check(len(cards) == len(summary["workloads"]), f"{len(cards)} cards")
    for workload, card in zip(summary["workloads"], cards):
        name, text = f"{workload['op']}/{workload['workload']}", card.text()
        check(next(card.all("h2")).text().startswith(seen(name)), f"card {name}: {text}")
        moved = {row["mode"] for row in summary["rows"] if row.get("transfer")}
        shown = {headline["mode"] in moved: headline for headline in reversed(workload["headlines"])}
        shown = [shown[each] for each in sorted(shown)]
        names = [each.text() for each in card.all("strong")]
        check(names == [seen(headline["best"]) for headline in shown], f"card {name}: names {names}")
        lines = [line for line in card.all("li")]
        expected = [(headline, key, rung) for headline in shown for key, rung in RIVALS if key in headline and headline[rung] != headline["best"]]
        check(len(lines) == len(expected), f"card {name}: {len(lines)} ratios, expected {len(expected)}")
        for line, (headline, key, rung) in zip(lines, expected):
            check_gain(f"card {name}: {headline['mode']} {key}", line, headline, key, headline[rung])
        mine = [row for row in summary["rows"] if [row["op"], row["workload"]] == [workload["op"], workload["workload"]]]
        wrong, right = sum(row.get("wrong", False) for row in mine), sum(row["status"] == "ok" for row in mine)
        check((f"{wrong} wrong" in text) == (wrong > 0) and (f"✓ {right} row" in text) == (right > 0), f"card {name}: {text}")
    check_axis()


def check_what_is_said():
    totals, said = summary["totals"], top.by_id("totals")
    check(f"{totals['measured']} row" in said.text() and f"{totals['wrong']} wrong" in said.text(), f"totals: {said.text()}")
    check(any("wrong" in e.text() for e in said.all() if e.get("class") == "bad") == (totals["wrong"] > 0), "wrong rows in vermilion")
    first_screen = " ".join(next(top.all("header")).text().split())
    for device in summary["devices"] if totals["measured"] else ():
        said = f"{device['disturbed']} of {device['measured']} {seen(device['backend'])} row"
        check((said in first_screen) == (device["measured"] > 0), f"how busy it was: {first_screen}")
    busy = top.by_id("busy")
    check(not busy or (busy.get("class") == "bad") == any(device["disturbed"] for device in summary["devices"]), "a busy machine in vermilion")
    rough = sum("approximate" in row for row in summary["rows"])
    check((f"{rough} row" in top.text() and "approximate (~" in top.text()) == (rough > 0), f"{rough} without an interval")
    skipped = [row.get("reason", "") for row in summary["rows"] if row["status"] == "skipped"]
    check(all(f"{skipped.count(reason)}: {seen(reason)}" in first_screen for reason in skipped), f"why skipped: {first_screen}")
    remarks, text = top.by_id("remarks").text(), top.text()
    for row in summary["rows"]:
        if row["status"] != "ok":
            name = seen("/".join(row[part] for part in NAME))
            check(name in remarks and seen(row.get("reason", "")) in remarks, f"{name} is not said to have ended: {row.get('reason')}")
        check(row["status"] == "skipped" or all(seen(m) in remarks for m in row.get("marks", "").split()), f"{row.get('marks')} not said")
    for mark in summary["marks"]:
        is_there = any(mark["mark"] in row.get("marks", "").split() for row in summary["rows"])
        check(not is_there or seen(f"{mark['mark']}, {mark['about']}") in remarks, f"{mark['mark']} is not explained")
    for part in [mode["about"] for mode in summary["modes"]] + [crossover["text"] for crossover in summary["crossovers"]] + \
            [value for device in summary["devices"] for name, value in device.items() if isinstance(value, str)]:
        check(seen(part) in text, f"{part} is not said")
    link, = (anchor for anchor in top.all("a") if "download" in anchor.attributes)
    check(urllib.parse.unquote_to_bytes(link.get("href").partition(",")[2]) == csv_file.read_bytes(), "another CSV")
    check(link.get("download") == csv_file.name, f"the CSV is called {link.get('download')}")
    check(any(a.get("href") == "#table" for a in next(top.all("nav")).all("a")), "no link to the table")


for part in (check_that_it_stands_alone, check_charts, check_table, check_cards, check_what_is_said):
    part()
print(*problems[:20], sep="\n")
sys.exit(1 if problems else 0)
