#!/usr/bin/env bash
# Opens the page of a results file in a browser, and uses it: test_page_browser.sh RUNGBENCH ROOT (of the checkout)
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip 'no browser (Debian: chromium)'
python3 -c 'import jinja2' 2>/dev/null || skip 'no Python with Jinja (Debian: python3-jinja2)'
rungbench=$(realpath "$1")
root=$(cd "$2" && pwd)
tests=$root/tests/page
make_folder
# The browser may still be writing its profile when it has printed the page.
trap 'rm -rf "$here" || { sleep 1; rm -rf "$here"; }' EXIT
cd "$here"

# open NAME FILE [FLAG]: the page as it stands after its scripts becomes NAME.dom
open() {
    HOME=$here timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$here/profile" --disable-background-networking --disable-component-update --window-size=1400,1000 \
        --virtual-time-budget=5000 --enable-logging=stderr "${@:3}" --dump-dom "file://$here/$2" >"$1.dom" 2>"$1.log" </dev/null ||
        fail "$1: the browser ended with $?: $(tail -n 3 "$1.log")"
    if grep CONSOLE "$1.log" | grep -v "violates .*script-src 'none'"; then fail "$1: the console is not empty"; fi
}

# probed NAME: NAME/report.html with the probe, which the copy lets run too, by its digest
{ printf '\n'; cat "$tests/probe.js"; } >probe.js
digest=$(python3 -c 'import base64, hashlib, sys
print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())' <probe.js)
probed() {
    sed -e "s|script-src |script-src 'sha256-$digest' |" -e '/^<\/body>$/,$d' "$1/report.html"
    printf '<script>'
    cat probe.js
    printf '</script>\n</body>\n</html>\n'
}

# A window has a least width; a frame has none.
frame() { # NAME WIDTH
    printf '<!DOCTYPE html>\n<iframe src="%s-probed.html" width="%d" height="740" style="border: 0"></iframe>\n' "$1" "$2"
    cat <<'END'
<script>
addEventListener("message", (event) => {
    const pre = document.createElement("pre");
    pre.id = "seen";
    pre.textContent = event.data;
    document.body.append(pre);
});
</script>
END
}

python3 -B "$tests/make_rows.py" "$root/tests/golden/results.csv" >kinds.csv
python3 -B "$tests/make_rows.py" "$root/tests/golden/results.csv" 12 >long.csv
for name in kinds long; do
    mkdir "$name"
    "$rungbench" --summarize="$name.csv" >"$name/summary.json"
    python3 -B "$tests/make_page.py" "$root" "$name/summary.json" "$name.csv" "$name" || fail "$name: no page"
    probed "$name" >"$name-probed.html"
done
for case in kinds:1200:light kinds:390:dark long:390:light; do
    IFS=: read -r name width colors <<<"$case"
    frame "$name" "$width" >frame.html
    if [[ $colors == dark ]]; then set -- --blink-settings=preferredColorScheme=0; else set --; fi
    open "$case" frame.html "$@"
    python3 -B "$tests/check_seen.py" "$case.dom" "$name/summary.json" "$width" "$colors" >problems 2>&1 || fail "$case: $(<problems)"
done

# Without scripts all rows stand there, and nothing that does nothing. The one complaint is that the script may not run.
sed "s|script-src [^;]*;|script-src 'none';|" kinds/report.html >scriptless.html
open scriptless scriptless.html
[[ $(grep -c '<tr id="row-' scriptless.dom) -eq $(($(wc -l <kinds.csv) - 2)) ]] || fail 'without scripts: not all rows'
grep -q '<div id="controls".* hidden' scriptless.dom || fail 'without scripts: controls'
grep -q 'title="matmul/mnist/cublas/cold' scriptless.dom || fail 'without scripts: nothing to see for who points at a row'
if grep -q '<th[^>]*><button' scriptless.dom; then fail 'without scripts: headers that cannot be clicked'; fi

end_test
