# Compares two tables of table.awk, what was recorded and what is: a line for each row that differs.
# Exit status: 0 the same or better; 1 more spills, a larger stack, less occupancy, or something that vanished.

BEGIN {
    FS = "\t"
    figures = split("block dynamic_shared_bytes registers static_shared_bytes stack_bytes spill_store_bytes " \
                    "spill_load_bytes occupancy_pct", figure, " ") # from the fourth cell on
}

{ id = $1 " " $2 " " $3 }

FNR == NR {
    recorded[id] = $0
    order[FNR] = id
    recorded_of[$3]++
    next
}

{
    present[id]
    present_of[$3]++
    if (id in recorded)
        compare(recorded[id])
    else if ($3 in recorded_of)
        say("new", id ": occupancy_pct " known($11) ", spill_store_bytes " $9 ", registers " $6)
    else if (present_of[$3] == 1)
        say("new", "architecture " $3)
}

END {
    for (i = 1; i in order; i++)
        if (!(order[i] in present)) {
            split(recorded[order[i]], was)
            if (was[3] in present_of)
                say("FAILED", order[i] ": was there, has vanished")
            else if (!told[was[3]]++)
                say("FAILED", "architecture " was[3] ": was there for " recorded_of[was[3]] " kernels, has vanished")
        }
    exit failed
}

function say(what, text) {
    print what ": " text
    failed = failed || what == "FAILED"
}

function known(text) { return text == "" ? "unknown" : text }

# Whether a figure that was `was` may not be `is`; occupancy that is unknown counts as none.
function is_worse(name, was, is) {
    if (name == "occupancy_pct")
        return is + 0 < was + 0
    return (name ~ /^spill_/ || name == "stack_bytes") && is + 0 > was + 0
}

# The row in hand with the recorded one: what is worse first, and then what else is different.
function compare(record,    was, i, text, worse, other) {
    split(record, was)
    for (i = 1; i <= figures; i++)
        if ($(i + 3) != was[i + 3]) {
            text = "; " figure[i] " was " known(was[i + 3]) ", is " known($(i + 3))
            if (is_worse(figure[i], was[i + 3], $(i + 3)))
                worse = worse text " (limit " was[i + 3] ")"
            else
                other = other text
        }
    if (worse other != "")
        say(worse != "" ? "FAILED" : "changed", id ": " substr(worse other, 3))
}
