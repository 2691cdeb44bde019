#!/usr/bin/env bash
# Usage: scripts/record.sh NAME [--data=DIR] [--minutes=N] [--steps=NAME,...]
#        scripts/record.sh NAME --draw
# Records what this machine does, in results/NAME: the steps of scripts/record/steps.txt, each in files of its own, STEP.csv (gzipped
# where it is large: STEP.csv.gz) or STEP.txt, and in record.csv for each the revision, the seconds and the command. Those that need a GPU are left out without one.
# Then charts and README.md are made from only these files, where gnuplot and Python's Jinja are.
# --data=DIR     a folder with MNIST's test images (mnist/) and a photo (*.jpg)
# --minutes=N    no step begins that would take longer than so many minutes from the start: to be called again (default: no limit)
# --steps=NAMES  only these
# --draw         makes charts and README.md again and measures nothing, by any revision and on any machine
# Steps that are there already are not done again, so it goes on where it was interrupted; to do one again, remove its files. All
# are of one machine and one revision of a clean checkout. NAME also seeds what is drawn at random. RUNGBENCH=PROGRAM names a rungbench
# that was built of it, with the programs and tests next to it; else all that is built in build-record.
# Exit status: 0 all steps are there; 3 some are missing, as it says; 1 a step ended with 1; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name='' from='' minutes='' chosen=() draws_only=''
for flag in "$@"; do
    case $flag in
    --data= | --minutes= | --steps=) die "$flag: expected a value" ;;
    --data=*) from=${flag#*=} ;;
    --minutes=*) minutes=${flag#*=} ;;
    --steps=*) IFS=, read -ra chosen <<<"${flag#*=}" ;;
    --draw) draws_only=yes ;;
    -*) die "$flag: unknown flag; expected --data, --minutes, --steps or --draw" ;;
    *)
        [[ -z $name ]] || die "$flag: expected one name"
        name=$flag
        ;;
    esac
done
[[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || die "'$name': expected a name for the folder in results/, of letters, digits, '.', '_' and '-'"
[[ -z $minutes || $minutes =~ ^[1-9][0-9]{0,3}$ ]] || die "--minutes=$minutes: expected a whole number from 1 to 9999"
[[ -z $from || -d $from ]] || die "--data=$from: no such folder"
mapfile -t lines < <(grep -v '^#' "$root/scripts/record/steps.txt")
known=" $(printf '%s\n' "${lines[@]%% *}" | tr '\n' ' ')"
for step in "${chosen[@]}"; do
    [[ -n $step && $known == *" $step "* ]] || die "--steps=$step: no such step; expected some of$known"
done
folder=$work/results/$name
record=$folder/record.csv
prepare_folder "$folder"
exec 8<"$folder"
flock -n 8 || die "$folder: another run is recording there"
[[ -f $record || -z $(ls -A "$folder") ]] || die "$folder: has files, but no record.csv; expected an empty folder, or one that this script has begun"
make_place

large=500000 # bytes
# shellcheck disable=SC2034  # commands of steps read it
examples=$root/docs/examples/python

# files_of STEP
files_of() { compgen -G "$folder/$1.csv*" || true; compgen -G "$folder/$1.txt" || true; }

# is_done STEP
is_done() { [[ -f $record && -n $(files_of "$1") ]] && grep -q "^$1," "$record"; }

# The programs of the steps.
rungbench() { run "$RUNGBENCH" "$@"; }
rungbench-gate() { run "$programs/rungbench-gate" "$@"; }
precision_errors() { run "$programs/tests/simulator/precision_errors" "$@"; }
train.sh() { run "$root/scripts/train.sh" "$@"; }
rates.sh() { RUNGBENCH_GATE=$programs/rungbench-gate run "$root/scripts/rates.sh" "$@"; }
do_bench.py() { run "${RUNGBENCH_PYTHON:-python3}" -B "$root/scripts/record/do_bench.py" "$@"; }
test_cheats_on_gpu.sh() { run bash "$root/tests/cheats/test_cheats_on_gpu.sh" "$programs" "$@"; }

# gate_csv [FLAG]: what the gate says of the slowed rounds, of which many are slower, as they should be
gate_csv() {
    local status=0
    rungbench-gate "$@" --csv="$csv" "$kept/base.csv" "$kept/slowed-1.csv" >/dev/null || status=$?
    [[ $status -eq 1 ]] || return 2
}

# find_programs: they are of some revision, and say what is there to measure
find_programs() {
    local photo
    if [[ -z ${RUNGBENCH-} ]]; then
        run "$root/scripts/setup.sh" build test
        set_up build-record -DBUILD_TESTING=ON
        compile build-record rungbench rungbench-gate rungbench-train precision_errors rungbench_impatient
        export RUNGBENCH=$root/build-record/rungbench
    fi
    programs=$(dirname "$RUNGBENCH")
    data=() mnist=
    if [[ -n $from ]]; then
        mnist=$from/mnist
        [[ ! -d $mnist ]] || data+=("--mnist=$mnist")
        for photo in "$from"/*.jpg; do [[ ! -f $photo ]] || data+=("--image=$photo"); done
        [[ ${#data[@]} -gt 0 ]] || die "--data=$from: has neither mnist/ nor a *.jpg"
    fi
    find_python sys || die "python3: not found; install it (Debian: apt-get install python3)"
    # shellcheck disable=SC2034  # commands of steps read them
    mapfile -t narrow < <("$python" -Bs "$root/scripts/record/shapes.py" narrow "$name")
    # shellcheck disable=SC2034
    mapfile -t general < <("$python" -Bs "$root/scripts/record/shapes.py" general "$name")
}

# machine_of <INFO: its devices
machine_of() { sed -nE 's/^ +(device|uuid) +/ /p' | tr -d '\n'; }

# check_revision: what is measured is of one, which others can have
check_revision() {
    local version other
    read -r _ _ version < <("$RUNGBENCH" --version)
    revision=$version
    if [[ $work == "$root" ]]; then
        run "$root/scripts/setup.sh" gate
        revision=$(git -C "$root" rev-parse --short=12 HEAD) || die 'expected a checkout of git'
        [[ -z $(git -C "$root" status --porcelain --untracked-files=no) ]] || die 'the checkout has changes; expected a revision that others can have'
    fi
    if [[ -f $folder/info.txt ]]; then
        other=$(machine_of <"$folder/info.txt")
        [[ $other == "$("$RUNGBENCH" --info 2>/dev/null | machine_of)" ]] || die "$folder: is of another machine:$other"
    fi
    if [[ -f $record ]]; then
        other=$(sed -n '2s/^[^,]*,\([^,]*\),.*/\1/p' "$record")
        [[ $other == "$revision" ]] || die "$folder: is of revision $other, this is $revision; expected one; remove the folder to begin again"
    fi
    [[ $version == "$revision" ]] || die "$RUNGBENCH: is of revision $version, the checkout of $revision; expected one"
}

# has BACKEND
has() {
    local status=0
    quietly "$place/log" "$RUNGBENCH" --verify --suite=smoke --backend="$1" --require="$1" --filter='/(cuda_naive|gpus_rows)/' || status=$?
    [[ $status -eq 0 || $status -eq 77 ]] || die "$RUNGBENCH: cannot measure: $(tail -n 1 "$place/log")"
    return "$status"
}

# digest_of STEP: of its files, that nobody changes a figure in them
digest_of() { files_of "$1" | xargs -d '\n' zcat -f | sha256sum | cut -c1-16; }

# do_step STEP COMMAND: all of its files or none
do_step() {
    local step=$1 command=$2 begun=$SECONDS status=0 file
    csv=$place/$step.csv txt=$place/$step.txt kept=$place/$step.kept
    # shellcheck disable=SC2034  # the command reads them
    eval "$command" >"$place/said" 2>"$place/err" </dev/null || status=$?
    if [[ $status -gt 1 ]]; then
        tail -n 3 "$place/err" >&2
        die "$step: ended with status $status; what was finished before is in $folder"
    fi
    [[ $status -eq 0 ]] || say "$step: ended with status 1: something was wrong or failed"
    [[ -s $csv || -s $txt ]] || die "$step: has written nothing; what was finished before is in $folder"
    [[ ! -s $csv || $(stat -c %s "$csv") -lt $large ]] || gzip -9n "$csv" || die "$place: cannot be written"
    for file in "$csv" "$csv.gz" "$txt"; do
        [[ ! -s $file ]] || save "$folder/${file##*/}" "$folder/${file##*/}" <"$file" || exit 2
    done
    {
        if [[ -f $record ]]; then grep -v "^$step," "$record"; else echo 'step,git_rev,seconds,status,sha256,command'; fi &&
            printf '%s,%s,%d,%d,%s,"%s"\n' "$step" "$revision" "$((SECONDS - begun))" "$status" "$(digest_of "$step")" "${command//\"/\"\"}"
    } >"$place/record" || die "$place: cannot be written"
    save "$record" "$record" <"$place/record" || exit 2
}

# plan: `todo` are the lines of the steps that this machine can do and has not done, `needed` the seconds that they take
plan() {
    local line step needs with without seconds
    todo=() needed=0
    for line in "${lines[@]}"; do
        read -r step needs with without _ <<<"$line"
        seconds=$([[ -n $has_gpu ]] && echo "$with" || echo "$without")
        if is_done "$step" || [[ ${#chosen[@]} -gt 0 && " ${chosen[*]} " != *" $step "* ]]; then continue; fi
        if [[ $seconds == - ]]; then continue; fi # it is for machines with a GPU, or for others
        if [[ $needs == data && ${#data[@]} -eq 0 || $needs == tests && ! -d $root/tests ]] || { [[ $needs == gpus ]] && ! has gpus; }; then
            say "$step: left out: it needs ${needs/data/--data}"
            continue
        fi
        todo+=("$seconds $line")
        needed=$((needed + seconds))
    done
}

# measure: `missing` are the steps for which there was no time
measure() {
    local line seconds step command
    for line in "${todo[@]}"; do
        read -r seconds step _ _ _ _ command <<<"$line"
        if [[ -n $minutes && $((SECONDS + seconds)) -gt $((60 * minutes)) ]]; then
            missing+=("$step (some $seconds s)")
            continue
        fi
        say "$step: some $seconds s of $needed that are left${minutes:+; time for $((60 * minutes - SECONDS))}"
        do_step "$step" "$command"
        needed=$((needed - seconds))
    done
}

# draw: charts and README.md, of what is there; charts replace older ones when all of a step are made
draw() {
    local line step charts status csv
    if ! find_python jinja2 || ! command -v gnuplot >/dev/null; then
        say "no charts, no README.md: gnuplot-nox or python3-jinja2 is not there; --draw makes them where they are"
        return
    fi
    for line in "${lines[@]}"; do
        read -r step _ _ _ charts _ <<<"$line"
        csv=$(files_of "$step" | grep -v '\.txt$') || continue
        [[ $charts != - ]] || continue
        status=0
        quietly "$place/log" "$root/scripts/plot.sh" --only="$charts" "$csv" "$place/$step-charts" || status=$?
        [[ $status -eq 0 || $status -eq 77 ]] || die "$step: no charts: $(tail -n 1 "$place/log")"
        rm -rf "${folder:?}/$step-charts"
        [[ $status -eq 77 ]] || { mkdir "$folder/$step-charts" && cp "$place/$step-charts"/*.svg "$folder/$step-charts/"; } || die "$folder: cannot be written"
    done
    (PYTHONUTF8=1 PYTHONPATH=$root/scripts/plot "$python" -Bs "$root/scripts/record/page.py" "$folder") || exit 2
}

missing=()
if [[ -n $draws_only ]]; then
    [[ -f $record ]] || die "$folder: nothing is recorded there"
    draw
    exit 0
fi
find_programs
has_gpu=$(has cuda && echo yes) || [[ $? -ne 2 ]] || exit 2
plan
if [[ ${#todo[@]} -gt 0 ]]; then check_revision && measure; fi
[[ -f $record ]] || die "no step can be done here"
if compgen -G "$folder/*.csv*" | grep -qv '/record\.csv$'; then draw; fi
if [[ ${#missing[@]} -gt 0 ]]; then
    printf -v list ', %s' "${missing[@]}"
    say "missing still: ${list:2}; call it again, with as many minutes as the longest takes"
    exit 3
fi
if grep -qE '^[^,]*,[^,]*,[0-9]+,1,' "$record"; then
    say "all is in $folder; some of it was wrong or failed"
    exit 1
fi
say "all is in $folder"
