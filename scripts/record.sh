#!/usr/bin/env bash
# Usage: scripts/record.sh NAME [--data=DIR] [--minutes=N]
# Records what this machine does, in results/NAME: the steps of scripts/record/steps.txt, each in files of its own, STEP.csv and
# STEP.txt, and in record.csv for each the revision, the seconds and the command. Without a GPU those that need one are left out.
# README.md there is made from these files alone, where Python's Jinja is (Debian: python3-jinja2).
# --data=DIR     a folder with MNIST's test images (mnist/) and a photo (*.jpg)
# --minutes=N    no step begins that would take longer than so many minutes from the start: to be called again (default: no limit)
# Steps that are there already are not done again, so it goes on where it was interrupted. All are of one revision of a clean
# checkout. NAME also seeds what is drawn. RUNGBENCH=PROGRAM names a rungbench that was built of it; else build/rungbench is built.
# Exit status: 0 all steps are there; 3 some are missing, as it says; 1 a rung was wrong; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name='' data='' minutes=''
for flag in "$@"; do
    case $flag in
    --data=*) data=${flag#*=} ;;
    --minutes=*) minutes=${flag#*=} ;;
    -*) die "$flag: unknown flag; expected --data or --minutes" ;;
    *)
        [[ -z $name ]] || die "$flag: expected one name"
        name=$flag
        ;;
    esac
done
[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || die "'$name': expected a name for the folder in results/, of letters, digits, '.', '_' and '-'"
[[ -z $minutes || $minutes =~ ^[1-9][0-9]{0,3}$ ]] || die "--minutes=$minutes: expected a whole number from 1 to 9999"
[[ -z $data || -d $data ]] || die "--data=$data: no such folder"
run "$root/scripts/setup.sh" gate
revision=$(git -C "$root" rev-parse --short=12 HEAD) || die 'expected a checkout of git'
[[ -z $(git -C "$root" status --porcelain --untracked-files=no) ]] || die 'the checkout has changes; expected a revision that others can have'
folder=$root/results/$name
record=$folder/record.csv
prepare_folder "$folder"
exec 8<"$folder"
flock -n 8 || die "$folder: another run is recording there"
if [[ -f $record ]]; then
    other=$(sed -n '2s/^[^,]*,\([^,]*\),.*/\1/p' "$record")
    [[ $other == "$revision" ]] || die "$folder: is of revision $other, this is $revision; expected one; remove the folder to begin again"
elif [[ -n $(ls -A "$folder") ]]; then
    die "$folder: has files, but no record.csv; expected an empty folder, or one that this script has begun"
fi
find_python sys || die "python3: not found; install it (Debian: apt-get install python3)"
if [[ -z ${RUNGBENCH-} ]]; then
    run "$root/scripts/setup.sh" build
    build build
    RUNGBENCH=$root/build/rungbench
fi

make_place
has_gpu=yes
quietly "$place/log" "$RUNGBENCH" --suite=smoke --filter='^matmul/.*/cuda_naive/cold' --samples-per-row=1 --require=cuda || {
    [[ $? -eq 77 ]] || die "$RUNGBENCH: cannot measure: $(tail -n 1 "$place/log")"
    has_gpu=
}
files=()
if [[ -n $data ]]; then
    [[ ! -d $data/mnist ]] || files+=("--mnist=$data/mnist")
    photo=$(compgen -G "$data/*.jpg" | head -n 1) || true
    [[ -z $photo ]] || files+=("--image=$photo")
fi

# flags_of WORD...: `flags` are those of a step's command, with what its words in capitals stand for
flags_of() {
    local word shapes
    flags=()
    for word in "$@"; do
        case $word in
        DATA) flags+=("${files[@]}") ;;
        NARROW | GENERAL)
            shapes=$("$python" -Bs "$root/scripts/record/shapes.py" "${word,,}" "$name") || exit 2
            mapfile -t -O "${#flags[@]}" flags <<<"$shapes"
            ;;
        *) flags+=("$word") ;;
        esac
    done
}

# revision_of FILE.csv: that of its first row
revision_of() {
    "$python" -c 'import csv, sys; print(next(csv.DictReader(open(sys.argv[1], newline="")))["git_rev"])' "$1"
}

# do_step STEP FLAG...: all of its files or none
do_step() {
    local step=$1 begun=$SECONDS status=0 of
    shift
    run "$RUNGBENCH" "$@" --progress=off >"$place/$step.txt" 2>"$place/$step.err" </dev/null || status=$?
    if [[ $status -gt 1 ]]; then
        tail -n 3 "$place/$step.err" >&2
        die "$step: ended with status $status; what was finished before is in $folder"
    fi
    [[ $status -eq 0 ]] || say "$step: a rung was wrong or failed"
    if [[ -f $place/$step.csv ]]; then
        of=$(revision_of "$place/$step.csv") || die "$place/$step.csv: has no row"
        [[ $of == "$revision" ]] || die "$RUNGBENCH: is of revision $of, the checkout of $revision; expected one"
        save "$folder/$step.csv" "$folder/$step.csv" <"$place/$step.csv" || exit 2
    fi
    save "$folder/$step.txt" "$folder/$step.txt" <"$place/$step.txt" || exit 2
    {
        if [[ -f $record ]]; then cat "$record"; else echo 'step,git_rev,seconds,status,command'; fi &&
            printf '%s,%s,%d,%d,"%s"\n' "$step" "$revision" "$((SECONDS - begun))" "$status" "rungbench $(made_of "$@")"
    } >"$place/record" || die "$place: cannot be written"
    save "$record" "$record" <"$place/record" || exit 2
}

# made_of FLAG...: as the record shows them, without places that are this machine's
made_of() {
    local text="$*"
    text=${text//"$place/"/}
    printf '%s' "${text//"$data/"/DATA/}"
}

missing=() longer=()
while read -r step needs with_gpu without_gpu command; do
    seconds=$([[ -n $has_gpu ]] && echo "$with_gpu" || echo "$without_gpu")
    case $needs in
    gpu) [[ -n $has_gpu ]] || continue ;;
    data) [[ ${#files[@]} -gt 0 ]] || continue ;;
    esac
    if [[ -f $record ]] && grep -q "^$step," "$record"; then continue; fi
    if [[ -n $minutes && $((SECONDS + seconds)) -gt $((60 * minutes)) ]]; then
        [[ $seconds -le $((60 * minutes)) ]] || longer+=("$step")
        missing+=("$step (some $seconds s)")
        continue
    fi
    say "$step: some $seconds s${minutes:+; $((60 * minutes - SECONDS)) s are left}"
    read -ra words <<<"$command"
    flags_of "${words[@]:1}"
    [[ $step == info || $step == calibration ]] || flags+=("--out=$place/$step.csv")
    do_step "$step" "${flags[@]}"
done < <(grep -v '^#' "$root/scripts/record/steps.txt")
if ! compgen -G "$folder/*.csv" | grep -qv '/record\.csv$'; then
    say "no README.md yet: no step that has rows is done"
elif find_python jinja2; then
    (PYTHONUTF8=1 PYTHONPATH=$root/scripts/plot RUNGBENCH=$RUNGBENCH "$python" -Bs "$root/scripts/record/page.py" "$folder") || exit 2
else
    say "no README.md: python3-jinja2 is not there; the next call makes it"
fi
if [[ ${#missing[@]} -gt 0 ]]; then
    printf -v list ', %s' "${missing[@]}"
    say "missing still: ${list:2}; call it again${longer:+, with more minutes: these take longer by themselves: ${longer[*]}}"
    exit 3
fi
if grep -qE '^[^,]*,[^,]*,[0-9]+,1,' "$record"; then
    say "all is in $folder; some rungs were wrong or failed"
    exit 1
fi
say "all is in $folder"
