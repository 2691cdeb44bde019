#!/usr/bin/env bash
# Usage: scripts/docs.sh [OUTDIR]
# Makes a site of README.md and all that links lead to from there: documents, charts, records and sources, with a search, and without
# the need of a server. OUTDIR is build-docs if none is given: a new or empty folder, or an older site, which it replaces.
# Exit status: 0 made; 2 anything else, such as a link to what is not there.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -le 1 && ${1-} != -* ]] || die "'$*': expected nothing, or a folder"
out=${1:-$root/build-docs}
[[ ! -e $out || -f $out/search/search_index.js || -z $(find "$out" ! -path "$out" -print -quit) ]] ||
    die "$out: is something else than a site; expected a new or empty folder"
prepare_folder "$out"
run "$root/scripts/setup.sh" docs
make_place
PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 quietly "$place/log" mkdocs build --strict --config-file "$root/mkdocs.yml" --site-dir "$place/site" || {
    sed -E -e 's/\x1b\[[0-9;]*m//g' -e '/^(INFO| |Aborted|$)/d' -e 's/^(WARNING|ERROR) +- +//' "$place/log" >&2 # of INFO, lists go on indented
    die 'the site is not made'
}
rm -rf "${out:?}"/* || die "$out: cannot be emptied"
cp -r "$place/site/." "$out/" || die "$out: cannot be written"
say "the site: $(realpath "$out")/index.html"
