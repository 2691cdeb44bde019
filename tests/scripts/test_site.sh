#!/usr/bin/env bash
# scripts/docs.sh makes a site: all documents are in its menu, every link and anchor leads somewhere, and the search finds sections.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
command -v mkdocs >/dev/null || skip 'no mkdocs (Debian: mkdocs)'
root=$(cd "$2" && pwd)
make_folder
# The browser may still be writing its profile when it has printed the page.
trap 'rm -rf "$here" || { sleep 1; rm -rf "$here"; }' EXIT
cd "$here"

# makes STATUS OUTDIR WHAT [ROOT]
makes() {
    local status=0
    "${4:-$root}/scripts/docs.sh" "$2" >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "$3: status $status, expected $1: $(<err)"
}
check() { python3 -B "$root/tests/scripts/check_site.py" "$1"; } # SITE

makes 0 site 'a new folder'
grep -qF "$here/site/index.html" err || fail "no word of where the site is: $(<err)"
if ! check site >said; then
    fail "broken links: $(<said)"
elif [[ $(<said) -lt 1000 ]]; then
    fail "only $(<said) links were looked at"
fi
for document in "$root"/docs/*.md; do
    name=$(basename "$document" .md)
    grep -qF "href=\"docs/$name.html\"" <(sed -n '/<nav/,$p' site/index.html) || fail "docs/$name.md is not in the menu: mkdocs.yml"
done
cmp -s site/page.css "$root/scripts/plot/page/page.css" || fail 'the site looks other than the page of results'

words='split-k  SHARED'
python3 - "$words" <<'END' || fail "the index of the search lacks '$words'"
import json, sys
sections = json.loads(open("site/search/search_index.js", encoding="utf-8").read().split("=", 1)[1].rstrip(";\n"))
found = {each["page"] for each in sections if all(word.lower() in each["text"].lower() for word in sys.argv[1].split())}
sys.exit(not any("MNIST" in page for page in found))
END
if browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome); then
    HOME=$here timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --dump-dom "file://$here/site/docs/gate.html?q=${words// /%20}" >dom 2>log || fail "the browser: $(tail -n 3 log)"
    grep -qF 'href="../docs/mnist.html#' <(sed -n '/<ol id="found">/,/<\/ol>/p' dom) || fail "the search does not find '$words'"
fi

# A heading that is gone shows, and so does a file.
sed -i 's/ id="tiled"//' site/docs/ladder.html
rm site/docs/gate.html
if check site >said; then fail 'broken links are not found'; fi
for link in 'docs/ladder.html: #tiled' 'index.html: docs/gate.html'; do
    grep -qxF "$link" said || fail "not found: $link"
done

# What is made takes the place of an older site, and of nothing else; where a link is broken the older one stays.
mkdir -p mine checkout/docs
touch mine/file site/older
makes 2 mine 'a folder with something else'
[[ $(ls mine) == file ]] || fail "a folder with something else has now: $(ls mine)"
cp -r "$root/scripts" "$root/mkdocs.yml" checkout/
printf '# A page\n\nSee [another](gone.md).\n' >checkout/README.md
makes 2 site 'a link to what is not there' checkout
grep -qF 'README.md links to gone.md' err || fail "a link to what is not there: $(<err)"
[[ -e site/older ]] || fail 'a site that is not made has ended an older one'
sed -i '/^nav:/,$d' checkout/mkdocs.yml
printf '# A page\n' >checkout/README.md
makes 0 site 'an older site' checkout
[[ ! -e site/older && ! -e site/docs && -f site/index.html ]] || fail 'an older site is not replaced'
mkdir fake
printf '#!/bin/sh\n' >fake/mkdocs
# shellcheck disable=SC2016  # the script's own variables
printf '#!/bin/sh\ncase $2 in site/*) exit 1 ;; esac\nexec /bin/rm "$@"\n' >fake/rm
chmod +x fake/*
TMPDIR=$here PATH=$here/fake:$PATH makes 2 site 'an older site that cannot be removed' checkout
end_test
