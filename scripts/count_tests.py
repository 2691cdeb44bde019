"""Counts single tests in the JUnit XML of ctest, count_tests.py FILE: those of a cmocka program one by one, a script as one.

Prints a line for each that was skipped, `skipped<TAB>REASON`, for each note, `note<TAB>TEXT`, and at the end
`counts<TAB>PASSED<TAB>FAILED`. Tests print why they skip as `skipped: REASON` and what is worth knowing otherwise as
`note: TEXT`, each on a line."""
import re
import sys
from xml.etree import ElementTree


def sum_of(word, said):
    return sum(map(int, re.findall(rf"^\[  {word}  \] (\d+) test", said, re.MULTILINE)))


passed = failed = 0
for test in ElementTree.parse(sys.argv[1]).iter("testcase"):
    said = test.findtext("system-out", "")
    lines = re.findall("^(skipped|note): (.*)", said, re.MULTILINE)
    right, wrong = sum_of("PASSED", said), sum_of("FAILED", said)
    skipped = test.find("skipped")
    if test.get("status") == "run":
        passed += right if "[  PASSED  ]" in said else 1
    elif test.get("status") == "fail":
        passed += right
        failed += wrong or 1
    elif skipped is None or not skipped.get("message", "").startswith(("SKIP_", "Disabled")):
        failed += 1
    elif not any(kind == "skipped" for kind, _ in lines):
        lines.append(("skipped", "no reason given"))
    for line in lines:
        print(*line, sep="\t")
print("counts", passed, failed, sep="\t")
