# Ticks of logarithmic axes. Ranges are in decades, lengths in pixels.

# A number on an axis: with the unit "s" as a duration, else with `unit` behind it.
function tick_text(x, unit,    text) {
    if (unit == "s") {
        text = duration(x)
        sub(/\.0*[ ]/, " ", text)
        return text
    }
    return (x < 1 ? sprintf("%.1g", x) : grouped(sprintf("%.0f", x))) unit
}

# The ticks between `from` and `to`, at least `gap` apart, as gnuplot's list of texts and places.
function log_ticks(from, to, pixels, gap, unit,    digit, i, exponent, x, step, list) {
    split(pixels / (to - from) > gap / 0.301 ? "1 2 5" : "1", digit, " ") # from 1 to 2 is the least of those steps
    step = int(gap * (to - from) / pixels) + 1
    for (exponent = int(from) - 1; exponent <= to; exponent++)
        for (i = 1; i in digit; i++) {
            x = digit[i] * 10 ^ exponent
            if (exponent % step == 0 && log10(x) >= from - 1e-9 && log10(x) <= to + 1e-9)
                list = list ", '" tick_text(x, unit) "' " sprintf("%.9g", x)
        }
    return substr(list, 3)
}

# The same with room for the texts side by side.
function log_ticks_across(from, to, pixels, unit,    gap) {
    gap = most(width(tick_text(10 ^ int(from), unit)), width(tick_text(10 ^ int(to), unit))) * 7.4 + 14
    return log_ticks(from, to, pixels, gap, unit)
}
