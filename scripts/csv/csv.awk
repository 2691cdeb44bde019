# Reading CSV (RFC 4180) by column names. For LC_ALL=C: text is bytes, and UTF-8 passes through. All .awk files here are
# POSIX awk, read together, and end with one that says what to do with a row.

# Takes `record` apart into cell[1], cell[2] ...; returns how many there are, 0 if a quoted cell is still open at the
# end of the record (the next line belongs to it), -1 if a quote stands where none may.
function csv_split(record, cell,    count) {
    split("", cell)
    for (;;) {
        if (record ~ /^"/) {
            if (record !~ /^"([^"]|"")*"(,|$)/)
                return gsub(/"/, "\"", record) % 2 ? 0 : -1
            match(record, /^"([^"]|"")*"/)
            cell[++count] = substr(record, 2, RLENGTH - 2)
            gsub(/""/, "\"", cell[count])
        } else {
            match(record, /^[^,"]*/)
            cell[++count] = substr(record, 1, RLENGTH)
        }
        record = substr(record, RLENGTH + 1)
        if (record == "")
            return count
        if (record !~ /^,/)
            return -1
        record = substr(record, 2)
    }
}

# The cell of the record in hand in the column `name`, empty if there is no such column.
function get(name) { return name in column ? cell[column[name]] : "" }

function fail_line(text) { fail(2, "line " first_line ": " text) }

NR == 1 { sub(/^\357\273\277/, "") }
{
    sub(/\r$/, "")
    gsub(/[\001-\037\177]/, " ")
    record = open ? record " " $0 : $0
    if (!open)
        first_line = NR
    count = csv_split(record, cell)
    open = count == 0
    if (open)
        next
    if (count < 0)
        fail_line("a quote in the middle of a cell; expected a whole cell in quotes, quotes in it doubled")
    if (!columns) {
        columns = count
        for (i = 1; i <= count; i++)
            column[cell[i]] = i
        read_header()
    } else if (record != "") {
        if (count != columns)
            fail_line(count_of(count, "cell") "; expected " columns " as in the header (is the file whole?)")
        rows++
        read_row()
    }
}

END {
    if (failed)
        exit failed
    if (open)
        fail_line("a quoted cell does not end (is the file whole?)")
    if (!columns)
        fail(2, "is empty; expected a results file of rungbench")
    if (!rows)
        fail(2, "a header, but no row; expected at least one result")
}
