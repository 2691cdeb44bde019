# Draws one ladder, which ladder.awk has described in variables. Needs style.gp.
PANEL_HEAD = 46

body = PANEL_HEAD + bars * row + AXIS
load 'frame.gp'
top = frame_top + PANEL_HEAD
bottom = top + bars * row

set logscale x
set xrange [panel_from : panel_to]
set yrange [bars + 0.5 : 0.5]
set xtics scale 0 font SMALL textcolor rgb FAINT
eval panel_ticks
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set tmargin at screen Y(top)
set bmargin at screen Y(bottom)

do for [i = 1:bars] {
    set label name[i] at screen X(margin), Y(top + (i - 0.5) * row) left noenhanced font CODE textcolor rgb INK
}
set multiplot
do for [p = 1:panels] {
    left = panels_at + (p - 1) * (panel_width + panel_gap)
    set lmargin at screen X(left)
    set rmargin at screen X(left + panel_width)
    set label unit at screen X(left + panel_width + 9), Y(top - 10) left noenhanced font SMALL textcolor rgb FAINT
    set label panel_head[p] at screen X(left), Y(top - 28) left noenhanced font STRONG textcolor rgb INK
    set label panel_note[p] at screen X(left), Y(top - 10) left noenhanced font SMALL textcolor rgb FAINT
    data = sprintf("$rungs%d", p)
    # A loop to 0 draws nothing, which is how gnuplot wants an empty set.
    plot for [i = 1:panel_limits[p]] data using 7:($1 - 0.5):(0):(1):(color(strcol(5))) with vectors nohead \
            dashtype (10, 6) linecolor rgb variable linewidth 2, \
        for [i = 1:panel_libraries[p]] data using 8:($1 - 0.5):(0):(1):(color(strcol(5))) with vectors nohead \
            dashtype (2, 4) linecolor rgb variable linewidth 2, \
        data using (panel_from):1:($2 - panel_from):(0):(color(strcol(5))) with vectors nohead linecolor rgb variable \
            linewidth 2.5, \
        for [i = 1:panel_whiskers[p]] data using (strcol(3) eq 'NaN' ? NaN : $2):1:3:4 with xerrorbars pointtype 0 \
            linecolor rgb INK linewidth 1.3, \
        data using 2:1:(color(strcol(5))) with points pointtype 7 pointsize 1.1 linecolor rgb variable, \
        data using (panel_to):1:6 with labels left offset char 0.8, 0 noenhanced font TEXT textcolor rgb INK
    unset label
    unset object
}
unset multiplot
unset output
