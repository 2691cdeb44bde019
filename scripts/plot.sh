#!/usr/bin/env bash
# Draws charts (SVG and PNG) from a results file of rungbench or a verdict file of rungbench-gate: plot.sh FILE.csv [OUTDIR]
# Exit status: 0 drawn; 77 nothing in the file has a speed-up, or a ratio; 2 anything else.
set -euo pipefail
unset CDPATH

die() {
    printf 'plot.sh: %s\n' "$*" >&2
    exit 2
}

if [[ ${1-} == --help || ${1-} == -h ]]; then
    echo 'Usage: plot.sh FILE.csv [OUTDIR]'
    echo 'Of results, draws the speed-ups of each workload and mode as SVG and PNG; OUTDIR is FILE-charts if none is given.'
    echo "Of verdicts (rungbench-gate --csv), draws FILE-ratios, how each row's time changed; OUTDIR is the folder of FILE.csv."
    exit 0
fi
[[ $# -eq 1 || $# -eq 2 ]] || die "$# arguments; expected FILE.csv [OUTDIR]"
csv=$1
[[ -n $csv && -e $csv ]] || die "$csv: no such file; expected a results file of rungbench"
[[ ! -d $csv ]] || die "$csv: is a folder; expected a results file of rungbench"
[[ -r $csv ]] || die "$csv: cannot be read; expected a results file of rungbench"
command -v gnuplot >/dev/null || die "gnuplot: not found; install it (Debian: apt-get install gnuplot-nox)"

home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plot=$home/plot
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

# Bytes that are not UTF-8 would make an SVG that no program opens, hence iconv.
{ iconv -c -f UTF-8 -t UTF-8 2>/dev/null || true; } <"$csv" >"$work/results.csv"
header=
IFS= read -r header <"$work/results.csv" || true
if [[ ,${header//[$'\r"']/}, == *,ratio_low,* ]]; then
    programs=(-f "$plot/verdicts.awk" -f "$plot/ratios.awk")
    drawer=ratios
    prefix=${csv##*/}
    prefix=${prefix%.csv}-
    outdir=${2:-$(dirname -- "$csv")}
else
    programs=(-f "$plot/results.awk" -f "$plot/chart.awk" -f "$plot/speedup.awk")
    drawer=bars
    prefix=
    outdir=${2:-${csv%.csv}-charts}
fi
target=$outdir
[[ $target == /* ]] || target=$PWD/$target
cd "$work"
status=0
PLOT_FILE="plot.sh: $csv" PLOT_TABLE="$home/../bench/rungs.def" LC_ALL=C awk -f "$plot/csv.awk" -f "$plot/text.awk" \
    -f "$plot/frame.awk" "${programs[@]}" <results.csv || status=$?
case $status in
0) ;;
77) exit 77 ;;
*) exit 2 ;;
esac

# Cairo ruins the whole PNG for a letter that no font has; DejaVu has none of Asia's beyond Arabic.
spell_png() {
    LC_ALL=C awk '{
        gsub(/[\360-\364][\200-\277][\200-\277][\200-\277]|[\343-\357][\200-\277][\200-\277]/, "?")
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

cp "$plot/frame.gp" .
for kind in png svg; do
    while read -r stem; do
        printf "reset\nkind = '%s'\nstem = '%s'\n" "$kind" "$stem"
        cat "$plot/style.gp"
        if [[ $kind == png ]]; then spell_png "$stem.gp"; else cat "$stem.gp"; fi
        cat "$plot/$drawer.gp"
    done <list >all.gp
    # C.UTF-8: points in numbers, and all letters. -d: no settings of the user's.
    env -u GNUTERM LC_ALL=C.UTF-8 gnuplot -d all.gp 2>errors </dev/null || echo "exit status $?" >>errors
    [[ ! -s errors ]] || die "gnuplot: $(tr -s '\n\t ' ' ' <errors | cut -c 1-300)"
done
while read -r stem; do
    [[ -s $stem.png && -s $stem.svg ]] || die "gnuplot: $stem is missing or empty (is ${TMPDIR:-/tmp} full?)"
    finish_svg "$stem"
done <list

# Charts appear whole or not at all: they are copied to where they belong under other names first.
if [[ ! -d $target ]]; then
    mkdir -p -- "$target" 2>/dev/null || die "$outdir: cannot be made; expected a folder for the charts"
    made=$target
fi
staging=$(mktemp -d "$target/.plot.XXXXXX" 2>/dev/null) || die "$outdir: cannot be written to; expected a folder for the charts"
for chart in *.png *.svg; do
    cp -- "$chart" "$staging/$prefix$chart" 2>/dev/null || die "$outdir: the charts cannot be written there (no space left?)"
done
chmod 644 -- "$staging"/*
mv -f -- "$staging"/* "$target/" || die "$outdir: the charts cannot be put there"
made=
printf 'Charts: %s in %s (SVG and PNG)\n' "$(wc -l <list)" "$outdir"
