# Complaints about a CSV file; CSV_FILE in the environment is its name.

function complain(text) { printf "%s: %s\n", ENVIRON["CSV_FILE"], text > "/dev/stderr" }

function fail(status, text) {
    complain(text)
    exit failed = status
}

function shorten(text) { return "`" (length(text) > 60 ? cut(text, 57) "..." : text) "'" }

function count_of(n, what) { return n " " what (n == 1 ? "" : "s") }

# At most `limit` bytes of a text, never half a character.
function cut(text, limit) {
    text = substr(text, 1, limit)
    sub(/[\300-\377][\200-\277]*$/, "", text)
    return text
}
