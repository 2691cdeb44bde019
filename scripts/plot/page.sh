#!/usr/bin/env bash
# Makes one HTML page, with all that it needs in it, of a results file and its charts:
# page.sh RESULTS.csv CHARTS_FOLDER LIST CSV_PATH >report.html
# LIST has a line STEM<tab>TITLE for each chart STEM.svg in CHARTS_FOLDER; CSV_PATH is where the results lie, seen from the page.
# Exit status: 0 the page is on stdout; 2 anything else.
set -euo pipefail
unset CDPATH

die() {
    printf 'page.sh: %s\n' "$*" >&2
    exit 2
}

must_read() { # FILE WHAT
    [[ -n $1 && -e $1 ]] || die "$1: no such file; expected $2"
    [[ ! -d $1 ]] || die "$1: is a folder; expected $2"
    [[ -r $1 ]] || die "$1: cannot be read; expected $2"
}

[[ $# -eq 4 ]] || die "$# arguments; expected RESULTS.csv CHARTS_FOLDER LIST CSV_PATH"
csv=$1
charts=$2
list=$3
must_read "$csv" 'a results file of rungbench'
must_read "$list" 'a list of charts'
[[ -d $charts ]] || die "$charts: no such folder; expected the charts"
[[ -n $4 ]] || die 'an empty CSV_PATH; expected the path from the page to the results'

plot=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
parts=$plot/page
if ! work=$(mktemp -d 2>/dev/null); then die "${TMPDIR:-/tmp}: no temporary folder can be made there"; fi
# Only what mktemp made here, file by file and then the empty folder: never a whole tree.
clean_up() {
    find "$work" -mindepth 1 -maxdepth 1 -type f -delete
    rmdir "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Chart N of the list becomes N.svg and N.base64, so that awk meets no name that a user has chosen.
count=0
: >"$work/list"
while IFS=$'\t' read -r stem title || [[ -n $stem ]]; do
    count=$((count + 1))
    [[ $stem =~ ^[A-Za-z0-9._-]+$ && -n $title ]] || die "$list: line $count: '$stem'; expected STEM<tab>TITLE"
    must_read "$charts/$stem.svg" "the chart of line $count of $list"
    { cp -- "$charts/$stem.svg" "$work/$count.svg" &&
        base64 <"$work/$count.svg" | tr -d '\n' >"$work/$count.base64"; } 2>/dev/null ||
        die "$charts/$stem.svg: cannot be taken into ${TMPDIR:-/tmp} (no space left?)"
    printf '%s\t%s\n' "$stem" "$title" >>"$work/list"
done <"$list"

# As a Content-Security-Policy names what is in the page: only this style and this script are let run.
digest() {
    printf '%b' "$(sha256sum <"$1" | sed -e 's/ .*//' -e 's/../\\x&/g')" | base64
}

sed -n 's/^#page //p' "$plot"/charts/*.awk | sort -n >"$work/kinds"
programs=()
for part in csv text results page/html page/rows page/headline page/about page/remarks page/charts page/table page/page; do
    programs+=(-f "$plot/$part.awk")
done
status=0
cat "$parts/page.css" "$parts/table.css" "$parts/media.css" >"$work/style"
style=$(digest "$work/style")
script=$(digest "$parts/page.js")
policy="img-src data:; base-uri 'none'; form-action 'none'"
PLOT_FILE="page.sh: $csv" PLOT_TABLE="$plot/../../bench/table/rungs.def" PAGE_PARTS=$parts PAGE_CHARTS=$work PAGE_CSV=$4 \
    PAGE_POLICY="default-src 'none'; style-src 'sha256-$style'; script-src 'sha256-$script'; $policy" \
    LC_ALL=C awk "${programs[@]}" <"$csv" >"$work/page" 2>"$work/errors" || status=$?
if [[ $status -ne 0 ]]; then
    cat "$work/errors" >&2
    exit 2
fi
[[ $(tail -n 1 "$work/page") == '</html>' ]] || die "$csv: the page was not made whole (is ${TMPDIR:-/tmp} full?)"
cat "$work/page" 2>/dev/null || die 'the page cannot be written to stdout (no space left?)'
