"""What Apache Otava reads: a CSV per row with the columns time, commit and time_s, and otava.yaml, which names them."""

import csv
import json
import os

import text

# Strings of JSON are strings of YAML.
TEST = """  {}:
    type: csv
    file: {}
    time_column: time
    attributes: [commit]
    metrics:
      time_s: {{direction: -1, scale: 1}}
"""


def write(histories, stage, folder):
    """Writes them in the folder `stage`, as files that will lie in `folder`; how many tests there are."""
    tests = []
    for history in histories:
        for row in history.rows.values():
            number = len(tests) + 1
            name = f"{number}-{text.file_name(row.name)[:150]}.csv"
            with open(stage / name, "w", encoding="utf-8", newline="") as file:
                lines = csv.writer(file, lineterminator="\n")
                lines.writerow(("time", "commit", "time_s"))
                lines.writerows((history.times[at], history.label(at), seconds) for at, seconds in row.points)
            tests.append((f"{number}-{text.clean(row.name)}", os.path.join(folder, name)))
    with open(stage / "otava.yaml", "w", encoding="utf-8") as file:
        file.write("tests:\n" + "".join(TEST.format(*(json.dumps(part, ensure_ascii=False) for part in test)) for test in tests))
    return len(tests)
