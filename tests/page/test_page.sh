#!/usr/bin/env bash
# Tests the page that scripts/plot.sh makes: test_page.sh RUNGBENCH ROOT (of the checkout)
# check_page.py compares a page with what rungbench says of the results; here are the cases.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

python3 -c 'import jinja2' 2>/dev/null || skip 'no Python with Jinja (Debian: python3-jinja2)'
rungbench=$(realpath "$1")
root=$(cd "$2" && pwd)
tests=$root/tests/page
enter_folder

# makes CASE CSV [--hostile]: the page must say what rungbench does
makes() {
    local summary=$1/summary.json
    mkdir -p "$1"
    "$rungbench" --summarize="$2" >"$summary" || { fail "$1: --summarize"; return; }
    python3 -B "$tests/make_page.py" ${3+"$3"} "$root" "$summary" "$2" "$1" >log 2>&1 || { fail "$1: $(tail -n 1 log)"; return; }
    python3 -B "$tests/check_page.py" "$1/report.html" "$summary" "$2" >problems 2>&1 || fail "$1: $(<problems)"
}
rows() { python3 -B "$tests/make_rows.py" "$root/tests/golden/results.csv" "$@"; }

rows >kinds.csv
makes kinds kinds.csv
rows 200 >many.csv
makes many many.csv
rows 1 >one.csv
makes one one.csv
for csv in "$root"/results/*/{default,lecture}.csv; do
    [[ -f $csv ]] || continue
    makes recorded "$csv"
    [[ $(stat -c %s recorded/report.html) -lt 3000000 ]] || fail "$csv: a page of more than 3 MB"
done

# Whatever the file says and is called, it stays text.
name="it's \"<script>&.csv"
{ rows; printf '# </script><script>alert(3)</script> \0 \377\n'; } >hostile.csv
makes hostile kinds.csv --hostile
cp hostile.csv "$name"
python3 -B "$tests/make_page.py" "$root" kinds/summary.json "$name" hostile
python3 -B "$tests/check_page.py" hostile/report.html kinds/summary.json "$name" >problems || fail "a hostile CSV: $(<problems)"

end_test
