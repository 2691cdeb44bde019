#!/usr/bin/env bash
# The gate's JUnit XML, read as GitLab and Jenkins read it: test_junit.sh FILE (that test_gate_report left)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
python=/usr/bin/python3
[[ -x $python ]] || skip 'no Python (Debian: python3)'
if command -v xmllint >/dev/null; then xmllint --noout "$1"; fi
"$python" - "$1" <<'END'
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
suites = root.findall("testsuite")
assert root.tag == "testsuites" and len(suites) == 1, root.tag
suite = suites[0]
cases = suite.findall("testcase")
assert suite.get("name") == "rungbench-gate"
assert len(cases) == 13, len(cases)

# GitLab: the first of these elements decides, and its text is shown. Cases are told apart by class and name.
def state(case):
    return next((kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None), "passed")

for count, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
    assert int(suite.get(count)) == sum(state(case) == kind for case in cases), count
assert int(suite.get("tests")) == len(cases)
assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)

# What it reads out of the row that is all markup; the others are in tests/golden/gate.xml.
nasty, = (case for case in cases if case.get("name").startswith("a|b"))
text = "a|b <c> & \"d\" `e` _f_ *g*, [h](i) \\| ?\n]]>'j' caf\u00e9"
assert nasty.get("name") == text, nasty.get("name")
assert nasty.find("failure").text == "failed: " + text

for case in cases:
    assert len(case) <= 1
    for element in case:
        assert element.text == element.get("message") != ""
        # ActiveSupport, which GitLab reads with, would take a text with one of these types for something else.
        assert element.get("type") not in ("integer", "float", "date", "yaml", "symbol", "file", "boolean", "string")
    if state(case) == "error":
        assert case.find("error").get("type") == "inconclusive"

END
