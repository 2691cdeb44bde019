# Draws one chart of ratios with their intervals, which ratios.awk has described in variables. Needs style.gp.
body = body + AXIS
load 'frame.gp'

set xtics scale 0 font SMALL textcolor rgb FAINT
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set lmargin at screen X(panels_at)
set rmargin at screen X(panels_at + panel_width)

do for [i = 1:bars] {
    set label name[i] at screen X(margin), Y(frame_top + row_y[i]) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(panels_at - 12), Y(frame_top + row_y[i]) right noenhanced font TEXT textcolor rgb FAINT
}

set multiplot
do for [p = 1:panels] {
    top = frame_top + panel_top[p]
    set tmargin at screen Y(top)
    set bmargin at screen Y(top + panel_rows[p] * row)
    set label panel_head[p] at screen X(panels_at), Y(top - 26) left noenhanced font STRONG textcolor rgb INK
    set label panel_note[p] at screen X(panels_at), Y(top - 9) left noenhanced font SMALL textcolor rgb FAINT
    set arrow from 0, graph 0 to 0, graph 1 nohead back linecolor rgb INK linewidth 1.2
    set arrow from panel_threshold[p], graph 0 to panel_threshold[p], graph 1 nohead back dashtype (12, 8) \
        linecolor rgb INK linewidth 1.2
    eval panel_ticks[p]
    set xrange [panel_from[p] : panel_to[p]]
    set yrange [panel_rows[p] + 0.5 : 0.5]
    data = sprintf("$rows%d", p)
    tip = 0.02 * (panel_to[p] - panel_from[p])
    # A loop to 0 draws nothing, which is how gnuplot wants an empty set.
    plot for [i = 1:panel_lines[p]] data using 3:1:4:(0):(color(strcol(5))) with vectors nohead linecolor rgb variable \
            linewidth 2.4, \
        for [i = 1:panel_lefts[p]] data using ($6 * panel_from[p] + tip):1:(-tip):(0):(color(strcol(5))) with vectors \
            head filled size graph 0.02, 25 linecolor rgb variable linewidth 2.4, \
        for [i = 1:panel_rights[p]] data using ($7 * panel_to[p] - tip):1:(tip):(0):(color(strcol(5))) with vectors \
            head filled size graph 0.02, 25 linecolor rgb variable linewidth 2.4, \
        for [i = 1:panel_points[p]] data using 2:1:(color(strcol(5))) with points pointtype 7 pointsize 1 \
            linecolor rgb variable
    unset label
    unset object
    unset arrow
}
unset multiplot
unset output
