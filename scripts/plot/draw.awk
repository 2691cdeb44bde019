# Draws all charts that a results file can feed. Exit status 77: none.

END {
    draw_speedups()
    draw_ladders()
    draw_rooflines()
    draw_sweeps()
    draw_transfers()
    draw_samples()
    if (!charts && only != "" && !refused)
        fail(2, "--only=" only ": matches no chart that this file can feed")
    if (!charts)
        fail(77, "nothing to draw: " all_left_out())
    if (refused)
        complain("not drawn: " all_left_out())
}
