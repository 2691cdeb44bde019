# Text in HTML, and sentences. What comes from the results passes through html(), whatever it is.

BEGIN {
    for (byte = 1; byte < 256; byte++)
        percent_code[sprintf("%c", byte)] = sprintf("%%%02X", byte)
}

function html(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    gsub(/'/, "\\&#39;", text)
    return text
}

# A path as a link: no letter of it can begin a scheme, a host, a query or a fragment.
function link(path,    i, letter, text) {
    sub(/^\/\/+/, "/", path)
    for (i = 1; i <= length(path); i++) {
        letter = substr(path, i, 1)
        text = text (letter ~ /[A-Za-z0-9._~\/-]/ ? letter : percent_code[letter])
    }
    return text
}

function code(text) { return "<code>" html(text) "</code>" }

# At least two digits, and no more than three unless they stand before the point.
function figure(x,    text) {
    text = factor(x + 0)
    sub(/×$/, "", text)
    return text
}

function percent(x) { return (x < 0.995 ? sprintf("%.2g", x) : x < 9.95 ? sprintf("%.1f", x) : sprintf("%.0f", x)) " %" }

# From `low` to `high`, in the unit of `high`.
function duration_range(low, high,    unit, scale, digits) {
    unit = duration(high)
    sub(/^[^ ]* /, "", unit)
    scale = unit == "s" ? 1 : unit == "ms" ? 1e3 : unit == "µs" ? 1e6 : 1e9
    digits = high * scale >= 99.95 ? "%.1f" : high * scale >= 9.995 ? "%.2f" : "%.3f"
    return sprintf(digits "–" digits " %s", low * scale, high * scale, unit)
}

# "a, b and c" of what is in `list`[1..count].
function sentence_list(list, count,    i, text) {
    for (i = 1; i <= count; i++)
        text = text (i == 1 ? "" : i == count ? " and " : ", ") list[i]
    return text
}
