#!/usr/bin/env bash
# Usage: scripts/record.sh NAME [--data=DIR] [--minutes=N] [--seed=TEXT]
# Records what this machine does, in results/NAME: the steps of scripts/record/steps.txt, each in files of its own, STEP.csv and
# STEP.txt, and in record.csv for each the revision, the seconds and the command. Without a GPU those that need one are left out.
# README.md there is made from these files alone, where Python's Jinja is (Debian: python3-jinja2).
# --data=DIR     a folder with MNIST's test images (mnist/) and a photo (*.jpg)
# --minutes=N    no step begins that would take longer than so many minutes from the start: to be called again (default: no limit)
# --seed=TEXT    draws other shapes (default: NAME)
# Steps that are there already are not done again, so it goes on where it was interrupted. All are of one revision of a clean
# checkout. RUNGBENCH=PROGRAM names a built rungbench; else build/rungbench is built.
# Exit status: 0 all steps are there; 3 some are missing, as it says; 1 a rung was wrong; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name='' data='' minutes='' seed=''
for flag in "$@"; do
    case $flag in
    --data=*) data=${flag#*=} ;;
    --minutes=*) minutes=${flag#*=} ;;
    --seed=*) seed=${flag#*=} ;;
    -*) die "$flag: unknown flag; expected --data, --minutes or --seed" ;;
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
fi
if [[ -z ${RUNGBENCH-} ]]; then
    run "$root/scripts/setup.sh" build
    build build
    RUNGBENCH=$root/build/rungbench
fi

make_place
has_gpu=
quietly "$place/log" "$RUNGBENCH" --suite=smoke --filter='^matmul/.*/cuda_naive/cold' --samples-per-row=1 --require=cuda && has_gpu=yes
files=()
if [[ -n $data ]]; then
    [[ ! -d $data/mnist ]] || files+=("--mnist=$data/mnist")
    for photo in "$data"/*.jpg; do [[ ! -f $photo ]] || files+=("--image=$photo"); done
fi

# flags_of WORD...: `flags` are those of a step's command, with what its words in capitals stand for
flags_of() {
    local word
    flags=()
    for word in "$@"; do
        case $word in
        DATA) flags+=("${files[@]}") ;;
        NARROW | GENERAL)
            mapfile -t -O "${#flags[@]}" flags < <(python3 -Bs "$root/scripts/record/shapes.py" "${word,,}" "${seed:-$name}")
            ;;
        *) flags+=("$word") ;;
        esac
    done
}

# do_step STEP WORD...: all of its files or none
do_step() {
    local step=$1 begun=$SECONDS status=0
    flags_of "${@:3}"
    [[ $step == info || $step == calibration ]] || flags+=("--out=$place/$step.csv")
    run "$RUNGBENCH" "${flags[@]}" --progress=off >"$place/$step.txt" 2>"$place/$step.err" </dev/null || status=$?
    [[ $status -ne 1 ]] || say "$step: a rung was wrong or failed"
    if [[ $status -gt 1 ]]; then
        tail -n 3 "$place/$step.err" >&2
        die "$step: ended with status $status; what was finished before is in $folder"
    fi
    [[ -f $record ]] || echo 'step,git_rev,seconds,status,command' | save "$record" "$record" || exit 2
    if [[ -f $place/$step.csv ]]; then save "$folder/$step.csv" "$folder/$step.csv" <"$place/$step.csv" || exit 2; fi
    save "$folder/$step.txt" "$folder/$step.txt" <"$place/$step.txt" || exit 2
    { cat "$record" && printf '%s,%s,%d,%d,"%s"\n' "$step" "$revision" "$((SECONDS - begun))" "$status" "${*:2}"; } >"$place/record"
    save "$record" "$record" <"$place/record" || exit 2
    worst=$((status > worst ? status : worst))
}

worst=0
missing=()
while read -r step needs with_gpu without_gpu command; do
    seconds=$([[ -n $has_gpu ]] && echo "$with_gpu" || echo "$without_gpu")
    case $needs in
    gpu) [[ -n $has_gpu ]] || continue ;;
    data) [[ ${#files[@]} -gt 0 ]] || continue ;;
    esac
    if [[ -f $record ]] && grep -q "^$step," "$record"; then continue; fi
    if [[ -n $minutes && $((SECONDS + seconds)) -gt $((60 * minutes)) ]]; then
        missing+=("$step (some $seconds s)")
        continue
    fi
    say "$step: some $seconds s${minutes:+; $((60 * minutes - SECONDS)) s are left}"
    read -ra words <<<"$command"
    do_step "$step" "${words[@]}"
done < <(grep -v '^#' "$root/scripts/record/steps.txt")
if find_python jinja2; then
    (PYTHONUTF8=1 PYTHONPATH=$root/scripts/plot RUNGBENCH=$RUNGBENCH "$python" -Bs "$root/scripts/record/page.py" "$folder") || exit 2
else
    say "no README.md: python3-jinja2 is not there; the next call makes it"
fi
if [[ ${#missing[@]} -gt 0 ]]; then
    printf -v list ', %s' "${missing[@]}"
    say "missing still: ${list:2}; call it again"
    exit 3
fi
say "all is in $folder"
exit "$worst"
