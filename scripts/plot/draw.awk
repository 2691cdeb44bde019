# Behind the charts' files, each of which draws its charts at the end: says what was left out. Exit status 77: no chart.

END {
    if (!charts && only != "" && !refused)
        fail(2, "--only=" only ": matches no chart that this file can feed")
    if (!charts)
        fail(77, "nothing to draw: " all_left_out())
    if (refused)
        complain("not drawn: " all_left_out())
}
