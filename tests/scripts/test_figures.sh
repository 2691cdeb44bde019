#!/usr/bin/env bash
# Every figure that README, docs and comments quote stands in the results that it names, and whatever looks measured names some; the
# pages of records are what their files make.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
export RUNGBENCH=$1 PYTHONUTF8=1
source_dir=$2
enter_folder
cd "$source_dir"
figures() { python3 -Bs scripts/record/figures.py "$@"; }

mapfile -t sources < <(find kernels cpu -name '*.c' -o -name '*.cu' -o -name '*.h')
figures README.md CONTRIBUTING.md docs/*.md "${sources[@]}" >"$here/said" || fail "$(cat "$here/said")"

for record in results/*/record.csv; do
    while IFS=, read -r step _ _ _ digest _; do
        if [[ $step == step && $digest != sha256 ]]; then break; fi # an older record
        [[ $step == step || $(cat "${record%/*}/$step".{csv,txt} 2>/dev/null | sha256sum) == "$digest"* ]] || fail "$record: files of $step were changed"
    done <"$record"
    cp -r "${record%/*}" "$here/"
    copy=$here/$(basename "${record%/*}")
    PYTHONPATH=scripts/plot python3 -Bs scripts/record/page.py "$copy"
    cmp -s "${record%/*}/README.md" "$copy/README.md" || fail "${record%/*}/README.md: is not what scripts/record.sh makes of the files beside it"
done

# A digit that is changed, a row that is gone, and a figure without a file are found; --update mends what can be.
mkdir -p "$here"/{results/a,docs}
printf 'name,time_median_s,counters\nx/cold,2e-3,loads=7e6\ny/cold,1e-3,\n' >"$here/results/a/rows.csv"
echo '0 of 7 alarm' >"$here/results/a/rows.txt"
page=$here/docs/page.md
right='[2.000 ms](../results/a/rows.csv "x/cold"), [0.50 times](../results/a/rows.csv
"x/cold over y/cold"), [7.0 million](../results/a/rows.csv "x/cold loads"), [7](../results/a/rows.txt "of (\d+) alarm"); settings: 100 us, 3 %'
judged() { # STATUS TEXT [FLAG]: of these words
    local status=0
    printf '%s\n' "$2" >"$page"
    figures ${3:+"$3"} "$page" >"$here/said" || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status, expected $1: $(cat "$here/said")"
}
judged 0 "$right"
for wrong in "${right/2.000/2.001}" "${right/0.50/0.51}" "${right/7.0/7.1}" "${right/\[7\]/[8]}" "${right/x\/cold/z/cold}" 'It takes 2.001 ms.' \
    "${right/rows.csv/none.csv}"; do
    judged 1 "$wrong"
done
judged 1 "${right/2.000/3.125}" --update
[[ $(<"$page") == "$right" ]] || fail "--update: $(cat "$page")"
end_test
