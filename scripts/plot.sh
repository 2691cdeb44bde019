#!/usr/bin/env bash
# Usage: scripts/plot.sh [--only=REGEX] [--samples=FILE.csv] RESULTS.csv [OUTDIR]
#        scripts/plot.sh VERDICTS.csv [OUTDIR]
#        scripts/plot.sh [--only=REGEX] --compare A.csv B.csv [OUTDIR]
# Of results (rungbench --out) it draws, as SVG and PNG, those of the charts listed below that the file can feed, and
# report.html with all of them; OUTDIR is RESULTS-charts if none is given.
# --only=REGEX draws those alone whose name matches, and no page.
# Of verdicts (rungbench-gate --csv) it draws VERDICTS-ratios, how each row's time changed; OUTDIR is the folder of VERDICTS.csv.
# --compare draws compare-OP-WORKLOAD-MODE, two files side by side; OUTDIR is B-compared if none is given.
# Exit status: 0 drawn; 77 the file can feed no chart; 2 anything else.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
plot=$root/scripts/plot

# The files in charts/, in the order that their #page lines give.
list_charts() {
    (cd "$plot/charts" && grep -m 1 '^#page ' -- *.awk) | sort -t ' ' -k 2n | cut -d : -f 1
}

more_help() {
    echo 'The charts:'
    list_charts | (cd "$plot/charts" && xargs -d '\n' sed -n 's/^#chart //p') | awk -F ' [|] ' '{ printf "  %-28s %s\n", $1, $2 }'
}
help_if_asked "$@"

only=
samples=
compares=
while [[ ${1-} == --* ]]; do
    case $1 in
    --only=?*) only=${1#*=} ;;
    --samples=?*) samples=${1#*=} ;;
    --compare) compares=yes ;;
    *) die "$1: expected --only=REGEX, --samples=FILE.csv or --compare; --help says more" ;;
    esac
    shift
done
files=1
wanted=FILE.csv
if [[ -n $compares ]]; then
    files=2
    wanted='A.csv B.csv'
fi
[[ $# -eq $files || $# -eq $((files + 1)) ]] || die "$# arguments; expected $wanted [OUTDIR]"
for csv in "${@:1:files}" ${samples:+"$samples"}; do
    [[ -n $csv && -e $csv ]] || die "$csv: no such file; expected a results file of rungbench"
    [[ ! -d $csv ]] || die "$csv: is a folder; expected a results file of rungbench"
    [[ -r $csv ]] || die "$csv: cannot be read; expected a results file of rungbench"
done
csv=$1
command -v gnuplot >/dev/null || die "gnuplot: not found; install it (Debian: apt-get install gnuplot-nox)"
if [[ -n $only ]]; then
    status=0
    [[ x =~ $only ]] || status=$?
    [[ $status -ne 2 ]] || die "--only=$only: expected an extended regular expression"
fi

if ! work=$(mktemp -d 2>/dev/null); then die "${TMPDIR:-/tmp}: no temporary folder can be made there"; fi
[[ $work == /* ]] || work=$PWD/$work
staging=
made=
# Only what mktemp made here, file by file and then the empty folder: never a whole tree.
clean_up() {
    local folder
    for folder in "$work" ${staging:+"$staging"}; do
        find "$folder" -mindepth 1 -maxdepth 1 -type f -delete
        rmdir "$folder"
    done
    if [[ -n $made ]]; then rmdir "$made" 2>/dev/null || true; fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# take FILE NAME: a copy to read. Bytes that are not UTF-8 would make an SVG that no program opens, hence iconv.
take() {
    { iconv -c -f UTF-8 -t UTF-8 2>/dev/null || true; } <"$1" >"$work/$2"
}

# read_with FILE PROGRAM...: awk with what all programs need
export LC_ALL=C PLOT_TABLE=$root/bench/table/rungs.def PLOT_ONLY=$only
read_with() {
    local programs=() program
    for program in "${@:2}"; do programs+=(-f "$plot/$program.awk"); done
    PLOT_FILE="plot.sh: $1" awk -f "$plot/text.awk" "${programs[@]}" 2>>notes
}

# A CSV is read by csv.awk, its rows are gathered by results.awk or verdicts.awk, and each file in charts/ describes what is to be
# seen in one kind of chart, in variables of gnuplot (STEM.chart). style.gp says how charts look, frame.gp draws what is around them, and a
# file for each form (bars, plane, ...) the rest. page.sh makes the page.
take "$csv" results.csv
header=
IFS= read -r header <"$work/results.csv" || true
prefix=
page=
drawing=(csv frame results origin rungs axis bars plane)
mapfile -t charts < <(list_charts)
charts=("${charts[@]%.awk}")
drawing+=("${charts[@]/#/charts/}" draw)
if [[ -n $compares ]]; then
    outdir=${3:-${2%.csv}-compared}
elif [[ ,${header//[$'\r"']/}, == *,ratio_low,* ]]; then
    drawing=(csv frame verdicts ratios)
    prefix=${csv##*/}
    prefix=${prefix%.csv}-
    outdir=${2:-$(dirname -- "$csv")}
else
    outdir=${2:-${csv%.csv}-charts}
    if [[ -z $only ]]; then page=yes; fi
    if [[ -z $samples && -f ${csv%.csv}-samples.csv && -r ${csv%.csv}-samples.csv ]]; then samples=${csv%.csv}-samples.csv; fi
    if [[ -n $samples ]]; then take "$samples" samples.csv; fi
fi
target=$outdir
[[ $target == /* ]] || target=$PWD/$target
link=$(realpath -m --relative-to="$target" -- "$csv")
second=${2-}
if [[ -n $compares ]]; then take "$second" second.csv; fi
cd "$work"
status=0
if [[ -n $compares ]]; then
    read_with "$csv" csv frame results origin summary <results.csv >a || status=$?
    [[ $status -ne 0 ]] || read_with "$second" csv frame results origin summary <second.csv >b || status=$?
    [[ $status -ne 0 ]] || PLOT_A=a PLOT_B=b PLOT_A_NAME=${csv##*/} PLOT_B_NAME=${second##*/} \
        read_with "$csv and $second" frame axis compare || status=$?
else
    PLOT_SAMPLES=${samples:+samples.csv} read_with "$csv" "${drawing[@]}" <results.csv || status=$?
fi
# What is left out is said when the rest is there.
if [[ $status -ne 0 ]]; then
    cat notes >&2
    [[ -s notes ]] || die "$csv: the charts cannot be prepared (is ${TMPDIR:-/tmp} full?)"
    [[ $status -eq 77 ]] || status=2
    exit "$status"
fi

# Cairo ruins the whole PNG for a letter that no font has; DejaVu has none of Asia's beyond Arabic.
spell_png() {
    awk '{
        gsub(/[\360-\364][\200-\277][\200-\277]|[\343-\357][\200-\277][\200-\277]/, "?")
        gsub(/\342[\272-\277][\200-\277]|\341[\200-\267][\200-\277]|\340[\240-\277][\200-\277]|[\334-\337][\200-\277]/, "?")
        print
    }' "$@"
}

# gnuplot names one font, takes each part of a chart's title from its own script, and leaves ]]> as no XML may hold it.
finish_svg() {
    sed -i -E -e '/^$/d' -e 's|]]>|]]\&gt;|g' \
        -e "s|<title>Gnuplot</title>|<title>$1</title>|" \
        -e 's|<g id="gnuplot_plot_[0-9a-z]*" ?><title>.*</title>|<g>|' \
        -e 's|font-family="DejaVu Sans:Bold"|font-family="DejaVu Sans, Verdana, sans-serif" font-weight="bold"|' \
        -e 's|font-family="DejaVu Sans"|font-family="DejaVu Sans, Verdana, sans-serif"|' \
        -e 's|font-family="DejaVu Sans Mono"|font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"|' "$1.svg"
}

cut -f 1 list >stems
for kind in png svg; do
    while read -r stem; do
        printf "reset\nkind = '%s'\nstem = '%s'\n" "$kind" "$stem"
        cat "$plot/style.gp"
        if [[ $kind == png ]]; then spell_png "$stem.chart"; else cat "$stem.chart"; fi
    done <stems >all.gp
    # C.UTF-8: points in numbers, and all letters. -d: no settings of the user's. GNUPLOT_LIB: where charts load from.
    env -u GNUTERM LC_ALL=C.UTF-8 GNUPLOT_LIB="$plot" gnuplot -d all.gp 2>errors </dev/null || echo "exit status $?" >>errors
    [[ ! -s errors ]] || die "gnuplot: $(tr -s '\n\t ' ' ' <errors | cut -c 1-300)"
done
while read -r stem; do
    [[ -s $stem.png && -s $stem.svg ]] || die "gnuplot: $stem is missing or empty (is ${TMPDIR:-/tmp} full?)"
    finish_svg "$stem"
done <stems
if [[ -n $page ]]; then
    "$plot/page.sh" results.csv . list "$link" >report.html || die "$csv: no page can be made of it"
fi

# Charts appear whole or not at all: they are copied to where they belong under other names first.
if [[ ! -d $target ]]; then
    mkdir -p -- "$target" 2>/dev/null || die "$outdir: cannot be made; expected a folder for the charts"
    made=$target
fi
staging=$(mktemp -d "$target/.plot.XXXXXX" 2>/dev/null) || die "$outdir: cannot be written to; expected a folder for the charts"
for chart in *.png *.svg ${page:+report.html}; do
    cp -- "$chart" "$staging/$prefix$chart" 2>/dev/null || die "$outdir: the charts cannot be written there (no space left?)"
done
chmod 644 -- "$staging"/*
mv -f -- "$staging"/* "$target/" || die "$outdir: the charts cannot be put there"
made=
cat notes >&2
printf 'Charts: %s in %s (SVG and PNG)%s\n' "$(wc -l <stems)" "$outdir" "${page:+, and a page of them: $outdir/report.html}"
