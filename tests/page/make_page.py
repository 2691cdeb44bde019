# Makes a page with made-up charts: make_page.py ROOT SUMMARY CSV FOLDER; --hostile before them makes every text an attack.
import json
import pathlib
import sys
import types

ATTACK = "\"'><img src=x onerror=alert(1)></script><script>alert(2)</script>{{ 7*7 }}&lt;\u202e\x00\ud800\n<!--"
KEPT = {"status", "stop_reason"}  # the program's own words, which a file cannot choose


def attack(value, key=None):
    if isinstance(value, dict):
        return {name: attack(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [attack(part, key) for part in value]
    return value + ATTACK if isinstance(value, str) and key not in KEPT else value


def svg(ink, paper):
    return (f'<?xml version="1.0"?>\n<svg \n width="440" height="300"\n xmlns="http://www.w3.org/2000/svg">\n<defs>\n</defs>\n'
            f'<rect width="440" height="300" fill="{paper}"/>\n<g fill="none">\n</g>\n'
            f"<text x='9' y='90' fill = '{ink}'>a &amp; b % # \"</text>\n</svg>\n")


def chart(folder, stem, text):
    (folder / f"{stem}.svg").write_text(svg("rgb( 26, 26, 26)", "#ffffff"))
    (folder / f"{stem}-dark.svg").write_text(svg("rgb( 230, 237, 243)", "#0d1117"))
    return types.SimpleNamespace(stem=stem, title="Title of " + stem + text, subtitle="Subtitle of " + stem + text,
                                 caption="Caption of " + stem + text, workload="matmul/mnist", mode="cold")


def main(arguments):
    hostile = arguments[0] == "--hostile"
    root, summary, csv, folder = map(pathlib.Path, arguments[hostile:])
    sys.path.insert(0, str(root / "scripts/plot"))
    import page
    summary = json.loads(summary.read_text())
    if hostile:
        summary = attack(summary)
        (folder / "summary.json").write_text(json.dumps(summary))
    kinds = [types.SimpleNamespace(__name__="charts." + kind, PAGE=(place, "Heading of " + kind, "How to read " + kind))
             for place, kind in enumerate(("first", "empty", "second"))]
    charts = [chart(folder, f"{kind}-{n}", ATTACK if hostile else "") for kind in ("first", "second") for n in range(3)]
    page.write(summary, charts, kinds, folder, str(csv))


if __name__ == "__main__":
    main(sys.argv[1:])
