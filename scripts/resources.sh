#!/usr/bin/env bash
# Usage: scripts/resources.sh [--record | --build]
# Compares what each kernel takes of a GPU with results/resources.csv; --record writes that file again, which accepts every
# change. Where the sources are still those of the record, nothing is built, unless --build asks for it. It needs nvcc, but
# no GPU. Exit status: 0 the same or better, or recorded; 1 more registers, shared memory, stack or spills, or something that
# vanished; 2 usage, input or output error; 3 inconclusive: another compiler's figures; 77 there is no nvcc.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

csv=$root/results/resources.csv
sources=$root/results/resources.sources # their digest
digest=$root/scripts/resources/digest.sh
record="scripts/resources.sh --record, and commit results/resources.*"
nvcc=${CUDACXX:-nvcc}
unset CUDAFLAGS NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS # which would change the figures

# script FILE.py ARGUMENT...
script() { (PYTHONPATH=$root/scripts/plot run_python "$root/scripts/resources/$1" "${@:2}"); }

# read_tables FILE [FILE]: "ROWS VERSION" of one table, or how two differ
read_tables() { script resources.py "$@"; }

# measure: builds what is missing, and writes the figures of the sources as they are to the file $present
measure() {
    local folder=build-resources/$version reports
    run "$root/scripts/setup.sh" build
    set_up "$folder" -DCMAKE_BUILD_TYPE=Release -DRUNGBENCH_CUDA=ON
    compile "$folder" rungbench_reported
    folder=$root/$folder/kernels/resources
    present=$folder/resources.csv
    mapfile -t reports <"$folder/reports.txt"
    run script reports.py "${reports[@]}" >"$present" || exit 2
}

[[ $# -eq 0 || ($# -eq 1 && $1 =~ ^--(record|build)$) ]] || die "'$*': expected nothing, --record or --build"
if ! command -v "$nvcc" >/dev/null; then
    say "$nvcc: not found, so nothing is compared; put nvcc on the PATH"
    exit 77
fi
version=$("$nvcc" --version | sed -n 's/^Cuda compilation tools, release .*, V\([0-9][0-9.]*\)$/\1/p')
[[ -n $version ]] || die "$nvcc --version: no version; expected 'Cuda compilation tools, release 13.0, V13.0.88' or the like"

if [[ ${1-} == --record ]]; then
    check_output "$csv" "$csv"
    check_output "$sources" "$sources"
    measure
    rows=$(read_tables "$present")
    save "$csv" "$csv" <"$present"
    "$digest" "$root" | save "$sources" "$sources"
    say "$csv: ${rows% *} rows recorded, of nvcc $version"
    exit
fi

[[ -f $csv && -r $csv ]] || die "$csv: no file that can be read; to record it: $record"
was=$(read_tables "$csv")
if [[ $version != "${was#* }" ]]; then
    say "inconclusive: $csv is of nvcc ${was#* }, this is nvcc $version; to record its figures: $record"
    exit 3
fi
if [[ $# -eq 0 && -f $sources && $("$digest" "$root") == "$(<"$sources")" ]]; then
    say "${was% *} rows of $csv are of these very sources, and of nvcc $version"
    exit
fi
measure
is=$(read_tables "$present")
status=0
differences=$(read_tables "$csv" "$present") || status=$?
[[ -z $differences ]] || printf '%s\n' "$differences" | put ''
case $status in
0) if [[ -n $differences ]]; then say "nothing is worse; to record what is new or changed: $record"; fi ;;
1) say "to accept an intended change: $record" ;;
*) exit 2 ;;
esac
say "${is% *} rows compared with $csv, of nvcc $version"
exit $status
