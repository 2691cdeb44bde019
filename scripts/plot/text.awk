# Numbers and texts as charts show them, and complaints. PLOT_FILE in the environment is what complaints are about.

function complain(text) { printf "%s: %s\n", ENVIRON["PLOT_FILE"], text > "/dev/stderr" }

function fail(status, text) {
    complain(text)
    exit failed = status
}

function shorten(text) { return "`" (length(text) > 60 ? cut(text, 57) "..." : text) "'" }

function count_of(n, what) { return n " " what (n == 1 ? "" : "s") }

# How many characters wide a text is; the letters of East Asia count twice.
function width(text) {
    gsub(/[\343-\357][\200-\277][\200-\277]/, "xx", text)
    gsub(/[\200-\277]/, "", text)
    return length(text)
}

# At most `limit` bytes of a text, never half a character.
function cut(text, limit) {
    text = substr(text, 1, limit)
    sub(/[\300-\377][\200-\277]*$/, "", text)
    return text
}

# Breaks `text` into lines of about `limit` characters, two at most; returns how many there are.
function wrap(text, limit, line,    lines, words, word, i) {
    words = split(text, word, " ")
    for (i = 1; i <= words; i++)
        if (lines > 0 && width(line[lines] " " word[i]) <= limit)
            line[lines] = line[lines] " " word[i]
        else if (lines < 2)
            line[++lines] = word[i]
        else {
            line[lines] = line[lines] " ..."
            break
        }
    return lines + 0
}

# 1234567 -> 1,234,567
function grouped(digits) {
    while (match(digits, /[0-9][0-9][0-9][0-9]($|,)/))
        digits = substr(digits, 1, RSTART) "," substr(digits, RSTART + 1)
    return digits
}

function factor(x) {
    return (x == 1 ? "1" : x >= 99.95 ? grouped(sprintf("%.0f", x)) : x >= 9.995 ? sprintf("%.1f", x) : \
            x >= 0.0995 ? sprintf("%.2f", x) : sprintf("%.2g", x)) "×"
}

function duration(s,    unit) {
    unit = s >= 0.9995 ? "s" : s >= 0.9995e-3 ? "ms" : s >= 0.9995e-6 ? "µs" : "ns"
    s *= unit == "s" ? 1 : unit == "ms" ? 1e3 : unit == "µs" ? 1e6 : 1e9
    return (s >= 99.95 ? sprintf("%.0f", s) : s >= 9.995 ? sprintf("%.1f", s) : sprintf("%.2f", s)) " " unit
}

# A rate, in billions a second.
function rate_text(x) { return x >= 99.95 ? grouped(sprintf("%.0f", x)) : x >= 9.995 ? sprintf("%.1f", x) : sprintf("%.2g", x) }

# 2026-11-21T17:11:22Z -> 2026-11-21 17:11 UTC
function moment(timestamp) { return substr(timestamp, 1, 10) " " substr(timestamp, 12, 5) " UTC" }

function device_name(name) { return name == "" ? "an unknown device" : name }

# A number as gnuplot reads it, which may be missing.
function or_nan(x) { return x == "" ? "NaN" : sprintf("%.9g", x) }

# As the name of a file.
function safe(text) {
    gsub(/[^A-Za-z0-9._-]/, "-", text)
    return text
}

# As gnuplot's string, in which nothing but the quote is special.
function quoted(text) {
    gsub(/'/, "''", text)
    return "'" text "'"
}

function least(a, b) { return a < b ? a : b }

function most(a, b) { return a > b ? a : b }

function log10(x) { return log(x) / log(10) }
