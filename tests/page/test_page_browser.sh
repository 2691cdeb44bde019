#!/usr/bin/env bash
# Opens the page of scripts/plot/page.sh in a browser, and uses it: test_page_browser.sh ROOT (of the checkout)
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

[[ $# -eq 2 ]] || { echo 'test_page_browser.sh: expected RUNGBENCH and SOURCE_DIR' >&2; exit 1; }
python=/usr/bin/python3
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
if [[ -z $browser || ! -x $python ]]; then
    skip 'no chromium (Debian: chromium) or no Python (python3)'
fi
root=$(cd "$2" && pwd)
tests=$root/tests/page
csv=$root/tests/plot/full.csv
make_folder
# The browser may still be writing its profile when it has printed the page.
trap 'rm -rf "$here" || { sleep 1; rm -rf "$here"; }' EXIT
cd "$here"

# open NAME FILE: the page as it stands after its scripts becomes NAME.dom, what the browser says NAME.log.
open() {
    HOME=$here timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$here/profile" --disable-background-networking --disable-component-update --window-size=1400,1000 \
        --virtual-time-budget=5000 --enable-logging=stderr --dump-dom "file://$here/$2" >"$1.dom" 2>"$1.log" </dev/null ||
        fail "$1: the browser ended with $?: $(tail -n 3 "$1.log")"
    if grep CONSOLE "$1.log" | grep -v "violates .*script-src 'none'"; then fail "$1: the console is not empty"; fi
}

# A wide chart, which a narrow screen must shrink.
mkdir charts
for stem in overview ladder-matmul-mnist speedup-matmul-mnist-cold speedup-matmul-mnist-hot speedup-grayscale-puppy-cold; do
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="300"><rect id="a" width="900" height="90"/></svg>\n' \
        >"charts/$stem.svg"
    printf '%s\tChart %s\n' "$stem" "$stem"
done >list
"$root/scripts/plot/page.sh" "$csv" charts list results.csv >page.html || fail 'page.sh failed'

# The copy lets one more script run, by its digest: the rest of the policy stays as it is.
{ printf '\n'; cat "$tests/probe.js"; } >probe.js
digest=$("$python" -c 'import base64, hashlib, sys
print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())' <probe.js)
{
    sed -e "s|script-src |script-src 'sha256-$digest' |" -e '/^<\/body>$/,$d' page.html
    printf '<script>'
    cat probe.js
    printf '</script>\n</body>\n</html>\n'
} >probed.html
open wide probed.html
"$python" -B "$tests/check_seen.py" wide.dom "$csv" wide >problems 2>&1 || fail "wide: $(<problems)"

# Windows of a browser without a screen have a least width; frames have none.
cat >narrow.html <<'END'
<!DOCTYPE html>
<iframe src="probed.html" width="360" height="740" style="border: 0"></iframe>
<script>
addEventListener("message", (event) => {
    const pre = document.createElement("pre");
    pre.id = "seen";
    pre.textContent = event.data;
    document.body.append(pre);
});
</script>
END
open narrow narrow.html
"$python" -B "$tests/check_seen.py" narrow.dom "$csv" narrow >problems 2>&1 || fail "narrow: $(<problems)"

# Without scripts all rows stand there, and nothing that does nothing. The one complaint is that the script may not run.
sed "s|script-src [^;]*;|script-src 'none';|" page.html >scriptless.html
open scriptless scriptless.html
[[ $(grep -c '<tr id="line-' scriptless.dom) -eq $(($(wc -l <"$csv") - 1)) ]] || fail 'without scripts: not all rows'
grep -q '<div id="controls".* hidden' scriptless.dom || fail 'without scripts: controls'
if grep -q '<th[^>]*><button' scriptless.dom; then fail 'without scripts: headers that cannot be clicked'; fi

end_test
