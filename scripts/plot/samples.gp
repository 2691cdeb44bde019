# Draws the samples of some rungs, which samples.awk has described in variables. Needs style.gp.
body = bars * row + 8
load 'frame.gp'
top = frame_top

set xrange [-0.01 : 1.01]
set yrange [bars + 0.5 : 0.5]
unset xtics
set lmargin at screen X(panels_at)
set rmargin at screen X(panels_at + panel_width)
set tmargin at screen Y(top)
set bmargin at screen Y(top + bars * row)
do for [i = 1:bars] {
    middle = Y(top + (i - 0.5) * row)
    set label name[i] at screen X(margin), Y(top + (i - 0.5) * row - 9) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(margin), Y(top + (i - 0.5) * row + 10) left noenhanced font SMALL textcolor rgb FAINT
    set label left_text[i] at screen X(panels_at - 8), middle right noenhanced font SMALL textcolor rgb FAINT
    set label right_text[i] at screen X(panels_at + panel_width + 8), middle left noenhanced font SMALL textcolor rgb FAINT
    set object rectangle from 0, i - 0.42 to 1, i + 0.42 behind fillcolor rgb '#f4f4f4' fillstyle solid 1 noborder
}
do for [i = 1:seams] {
    set arrow from 0, seam[i] to 1, seam[i] nohead back linecolor rgb '#c8c8c8' linewidth 1
}
plot for [i = 1:bars] sprintf("$median%d", i) using 1:($2 - 0.42):(0):(0.84) with vectors nohead linecolor rgb INK linewidth 1, \
    for [i = 1:bars] sprintf("$strip%d", i) using 1:2:(color(strcol(3))) \
        with points pointtype 7 pointsize 0.35 linecolor rgb variable
unset output
