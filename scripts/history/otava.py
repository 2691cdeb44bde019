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


def unique(name, taken):
    """The name, or NAME-2, NAME-3 and so on. A test keeps its name when others come or go."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found


def write(histories, stage, folder):
    """Writes them in the folder `stage`, as files that will lie in `folder`; how many tests there are."""
    names, files, tests = set(), set(), []
    for history in histories:
        for row in history.rows.values():
            name = f"{text.clean(history.device)}/{text.clean(row.name)}"
            file_name = unique(text.file_name(name)[:150], files) + ".csv"
            with open(stage / file_name, "w", encoding="utf-8", newline="") as file:
                lines = csv.writer(file, lineterminator="\n")
                lines.writerow(("time", "commit", "time_s"))
                lines.writerows((history.times[at], history.label(at), seconds) for at, seconds in row.points)
            tests.append((unique(name, names), os.path.join(folder, file_name)))
    with open(stage / "otava.yaml", "w", encoding="utf-8") as file:
        file.write("tests:\n" + "".join(TEST.format(*(json.dumps(part, ensure_ascii=False) for part in test)) for test in tests))
    return len(tests)
