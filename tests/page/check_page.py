# Compares a page of scripts/plot/page.sh with what it was made of: check_page.py PAGE CSV LIST CHARTS CSV_PATH
# Prints what differs; exit status 1 if anything does.
import base64
import hashlib
import re
import statistics
import sys
import urllib.parse

from html_tree import Tree
from results_file import Results

page_file, csv_file, list_file, charts, csv_path = sys.argv[1:]
source = open(page_file, encoding="utf-8", newline="").read()
tree = Tree(source)
top, problems = tree.top, tree.problems
results = Results(csv_file)


def check(fine, text):
    if not fine:
        problems.append(text)


def only(tag):
    found = list(top.all(tag))
    check(len(found) == 1, f"{len(found)} of <{tag}>")
    return found[0]


def digest(element):
    return "'sha256-" + base64.b64encode(hashlib.sha256(element.text().encode()).digest()).decode() + "'"


def check_that_it_stands_alone():
    """Nothing from elsewhere, nothing that runs but the page's own script."""
    check(source.startswith("<!DOCTYPE html>\n") and source.endswith("</html>\n"), "does not begin and end as a page")
    bare = re.sub(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]*", "", source)
    check(not re.search(r"https?:|@import|url\(", bare), "names an address elsewhere")
    check(not list(top.all("iframe", "object", "embed", "base", "form", "audio", "video")), "has an element that fetches")
    policies = [meta.get("content") for meta in top.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    check(len(policies) == 1 and source.index("Content-Security-Policy") < source.index("<style"), "no policy, or too late")
    policy = dict(part.strip().split(" ", 1) for part in policies[0].split(";"))
    check(policy == {"default-src": "'none'", "style-src": digest(only("style")), "script-src": digest(only("script")),
                     "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}, f"the policy is {policy}")
    for element in top.all():
        for name, value in element.attributes.items():
            check(not name.startswith("on") and name not in ("style", "srcset", "srcdoc", "action"), f"<{element.tag} {name}>")
            if name == "src":
                check(value.startswith("data:image/svg+xml;base64,"), f"src is {value[:60]}")
            if name == "href" and element.tag != "link":
                path = value.partition("#")[0]
                fine = urllib.parse.unquote(path) in ("", csv_path) and not re.search("^//|[^A-Za-z0-9._~/%-]", path)
                check(fine, f"a link to {value}")


def check_that_all_can_read_it():
    check("\ufffd" not in source, "a letter was cut in two")
    check(only("html").get("lang") == "en" and only("title").text().strip(), "no language or no title")
    level = 0
    for heading in top.all("h1", "h2", "h3", "h4"):
        check(int(heading.tag[1]) <= level + 1, f"<{heading.tag}> follows <h{level}>")
        level = int(heading.tag[1])
    check(only("h1") and only("caption").text() and only("main"), "no heading, caption or main")
    names = [e.get("id") for e in top.all() if e.get("id")]
    check(len(names) == len(set(names)), "an id stands twice")
    for anchor in top.all("a"):
        target = anchor.get("href")
        check(not target.startswith("#") or target[1:] in names, f"a link to {target}, which is not there")
    check(all(th.get("scope") for th in top.all("th")), "a th without scope")
    check("hidden" in top.by_id("controls").attributes, "controls that do nothing without the script")


def check_charts():
    wanted = [line.split("\t", 1) for line in open(list_file, encoding="utf-8").read().splitlines()]
    check(len(list(top.all("figure"))) == len(list(top.all("img"))) == len(wanted), f"not {len(wanted)} charts")
    for stem, title in wanted:
        figure = top.by_id("chart-" + stem)
        if figure is None:
            check(False, f"no chart {stem}")
            continue
        image, = figure.all("img")
        data = open(f"{charts}/{stem}.svg", "rb").read()
        size = re.search(rb'<svg[^>]*?width="(\d+)[^>]*?height="(\d+)', data).groups()
        check(base64.b64decode(image.get("src").partition(",")[2]) == data, f"{stem}: another picture")
        check(image.get("alt") == "Chart: " + title, f"{stem}: alt is {image.get('alt')!r}")
        check(next(figure.all("figcaption")).text().startswith(title), f"{stem}: another caption")
        check((image.get("width"), image.get("height")) == tuple(n.decode() for n in size), f"{stem}: another size")


COLUMNS = ["Operation", "Workload", "Rung", "Mode", "Backend", "Time", "Spread", "GFLOP/s", "GB/s", "Ceiling %", "Speed-up",
           "Over best CPU", "Notes", "Line"]
UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def near(text, number, off=6e-9):
    try:
        return abs(float(text.replace(",", "")) - number) <= off * abs(number)
    except ValueError:
        return False


def shown(cell):
    return re.match(r"[0-9,.e+-]*", cell.text()).group()


def rounds_to(text, number):
    """Three digits, two below 1, all of them before the point."""
    kind = ",.0f" if number >= 99.95 else ".1f" if number >= 9.995 else ".2f" if number >= 0.0995 else ".2g"
    return text == ("1" if number == 1 else format(number, kind))


def check_figure(said, times, cell, column, texts):
    """A single round: the file's own text; several: the median of theirs."""
    texts = [text for text in texts if text]
    value = cell.get("data-value")
    if not texts:
        check(value == "" and not shown(cell), f"{said}: {column} is {value!r}")
        return
    fine = value == texts[0] if len(times) == 1 else near(value, statistics.median(map(float, texts)))
    check(fine, f"{said}: {column} is {value!r}, of {texts}")
    unit = cell.text().split(" ")[-1] if column == "Time" else ""
    if unit:
        digits = len(shown(cell).replace(".", ""))
        check(near(shown(cell), float(value) / UNITS[unit], 0.0051) and digits == 3, f"{said}: {cell.text()}")
    else:
        check(rounds_to(shown(cell), float(value)), f"{said}: {column} shows {cell.text()!r} of {value}")


def check_spread(said, name, cell):
    times = results.timed(name)
    if len(times) > 1:
        values = [float(r["time_median_s"]) for r in times]
        low, high = min(values), max(values)
    elif times[0]["time_q1_s"] and times[0]["time_q3_s"]:
        low, high = float(times[0]["time_q1_s"]), float(times[0]["time_q3_s"])
        exact = [cell.get("data-low"), cell.get("data-high")] == [times[0]["time_q1_s"], times[0]["time_q3_s"]]
        check(exact, f"{said}: other quartiles")
    else:
        check(cell.get("data-value") == "" and cell.text() == "unknown", f"{said}: a spread from nowhere")
        return
    spread = 100 * (high - low) / results.median(name)
    check(near(cell.get("data-low"), low) and near(cell.get("data-high"), high), f"{said}: spread not from {low} to {high}")
    check(near(cell.get("data-value"), spread, 1e-6) and near(shown(cell), spread, 0.051), f"{said}: spread is {cell.text()!r}")
    seen = re.search(r"([0-9.]+)–([0-9.]+) (.*)", cell.text()).groups()
    check(near(seen[0], low / UNITS[seen[2]], 0.0011) and near(seen[1], high / UNITS[seen[2]], 0.0011), f"{said}: shows {seen}")


def check_measured(said, name, cells):
    times = results.timed(name)
    for column, key in ("Time", "time_median_s"), ("GFLOP/s", "gflops"), ("GB/s", "bandwidth_gbs"), ("Ceiling %", "ceiling_pct"):
        check_figure(said, times, cells[column], column, [r.get(key) for r in times])
    check_spread(said, name, cells["Spread"])
    op, workload, _, mode = name
    base, cell, texts = results.base(op, workload, mode), cells["Speed-up"], [r["speedup"] for r in times]
    if len(times) > 1 and base and any(texts):
        check(near(cell.get("data-value"), results.median(base) / results.median(name)), f"{said}: speed-up {cell.text()!r}")
        check(rounds_to(shown(cell), results.median(base) / results.median(name)), f"{said}: shows speed-up {cell.text()!r}")
    else:
        check_figure(said, times, cell, "Speed-up", texts)
    named = {r["baseline"] for lines in results.lines.values() for r in lines if r["baseline"]}
    check(not any(texts) or (times[0]["baseline"] in cell.text()) == (len(named) > 1), f"{said}: baseline in {cell.text()!r}")
    cpu, value = results.best(op, workload, mode, "cpu"), cells["Over best CPU"].get("data-value")
    check(near(value, results.median(cpu) / results.median(name)) if cpu else value == "", f"{said}: over the best CPU {value!r}")
    check(set(cells["Notes"].text().split()) == results.marks(name), f"{said}: notes are {cells['Notes'].text()!r}")


def check_row(row):
    cells = dict(zip(COLUMNS, row.all("td", "th")))
    rung = next(part for part in cells["Rung"].parts if isinstance(part, str)).strip()
    name = (cells["Operation"].text(), cells["Workload"].text(), rung, cells["Mode"].text())
    said = "/".join(name)
    if name not in results.lines:
        check(False, f"{said} is not in the file")
        return name
    mine, status = results.lines[name], results.status(name)
    precision = mine[0]["precision"].lower()
    check(row.get("data-status") == status, f"{said} is {row.get('data-status')}")
    check(cells["Backend"].text() == mine[0]["backend"], f"{said}: backend {cells['Backend'].text()}")
    check((precision in cells["Rung"].text().lower().split()) == (precision not in ("fp32", "u8")), f"{said}: precision")
    links = [(a.text(), urllib.parse.unquote(a.get("href"))) for a in cells["Line"].all("a")]
    check(links == [(str(r["line"]), f"{csv_path}#L{r['line']}") for r in mine], f"{said}: lines {links}")
    check(cells["Line"].get("data-value") == str(mine[0]["line"]), f"{said}: sorted by another line")
    if status == "ok":
        check_measured(said, name, cells)
    else:
        empty = all(cells[column].get("data-value") == "" for column in COLUMNS[5:12])
        check(cells["Time"].text() == status and empty, f"{said}: has figures")
        reasons = [r["reason"] for r in mine if r["status"] == status and r["reason"]]
        check(not reasons or any(r in cells["Notes"].text() for r in reasons), f"{said}: notes are {cells['Notes'].text()!r}")
    return name


def check_table():
    table = top.by_id("rows")
    columns = [th.text() for th in next(table.all("thead")).all("th")]
    baselines = {r["baseline"] for lines in results.lines.values() for r in lines if r["baseline"]}
    own = "Over " + min(baselines) if len(baselines) == 1 else "Speed-up"
    check(columns == [own if column == "Speed-up" else column for column in COLUMNS], f"the columns are {columns}")
    names = [check_row(row) for row in next(table.all("tbody")).all("tr")]
    check(sorted(names) == sorted(results.lines), f"rows are missing or stand twice: {set(results.lines) - set(names)}")


def check_what_is_said():
    remarks, about = top.by_id("remarks").text(), next(top.all("dl")).parent.text()
    marks = {name: results.marks(name) for name in results.lines}
    failed = [name for name in results.lines if results.status(name) == "failed"]
    for name in failed:
        check(f"Failed: {'/'.join(name)}: " in remarks, f"{'/'.join(name)} failed, which is not said at the top")
    for mark in set().union(*marks.values()):
        count = sum(mark in marks[name] for name in marks)
        said = rf"(?m)^{re.escape(mark)}( \([^)]*\))?(, all of them)?: {count} row"
        check(re.search(said, remarks), f"{count} rows are {mark}")
    check(not results.slowed or f"{results.slowed} line" in remarks, f"{results.slowed} lines are slowed, which is not said")
    check(("No row failed" in remarks) == (not failed and not any(marks.values()) and not results.slowed), "no row failed?")
    for name in results.lines:
        if results.status(name) == "skipped":
            skipped = top.by_id("skipped")
            check(skipped and results.lines[name][-1]["reason"] in skipped.text(), f"{'/'.join(name)}: reason not said")
    for status, what in ("ok", "measured"), ("right", "verified"), ("skipped", "skipped"), ("failed", "failed"):
        count = sum(results.status(name) == status for name in results.lines)
        said = re.search(rf"(?<![0-9]){count} (rows? (was|were) )?{what}", about)
        check(said or (count == 0 and status != "ok"), f"{count} {what}?")
    every = [(name, line) for name in results.lines for line in results.lines[name]]
    for text in {line["host"] for _, line in every} | {line["device"] for name, _ in every for line in results.timed(name)}:
        check(text in about, f"{text} is not said")


def check_headline():
    said = next(e for e in top.all("p") if e.get("class") == "headline")
    figures, expected = [e.text() for e in said.all("strong")], results.headline()
    if not expected:
        check(said.text().startswith("No row has a speed-up: ") and not figures, f"the headline is {said.text()!r}")
        return
    workload, first, ratios = expected
    fine = len(figures) == len(ratios) and all(rounds_to(f, r) for f, r in zip(figures, ratios))
    check(fine, f"{figures} in the headline, not {ratios}")
    check("/".join(workload) in said.text() and first[2] in said.text() and results.timed(first)[0]["device"] in said.text(),
          f"the headline is {said.text()!r}; expected {first}")


for part in (check_that_it_stands_alone, check_that_all_can_read_it, check_charts, check_table, check_what_is_said,
             check_headline):
    part()
print(*problems[:20], sep="\n")
sys.exit(1 if problems else 0)
