# Draws one plane, which plane.awk has described in variables. Needs style.gp.
body = plane_head + plane_height + AXIS + 24
load 'frame.gp'
top = frame_top + plane_head
bottom = top + plane_height

set logscale xy
set xtics scale 0 font SMALL textcolor rgb FAINT
set ytics scale 0 font SMALL textcolor rgb FAINT
set grid xtics ytics linetype 1 linecolor rgb GRID linewidth 1
set lmargin at screen X(plane_left)
set rmargin at screen X(plane_left + plane_width)
set tmargin at screen Y(top)
set bmargin at screen Y(bottom)

set label y_title at screen X(margin), Y(top - 18) left noenhanced font STRONG textcolor rgb INK
set label x_title at screen X(plane_left + plane_width), Y(bottom + AXIS + 8) right noenhanced font STRONG textcolor rgb INK
do for [i = 1:texts] {
    set label caption[i] at screen X(text_x[i]), Y(top + text_y[i]) left noenhanced font SMALL textcolor rgb INK
    set arrow from screen X(place_x[i]), Y(top + place_y[i]) to screen X(text_x[i] - 3), Y(top + text_y[i]) nohead \
        linecolor rgb FAINT linewidth 0.6
}
do for [i = 1:legends] {
    set label legend[i] at screen X(plane_left + plane_width + 20), Y(top + (i - 0.5) * 17) left noenhanced font SMALL \
        textcolor rgb INK
}
do for [i = 1:titles] {
    set label over[i] at screen X(over_x[i]), Y(top + over_y[i]) center noenhanced font SMALL textcolor rgb INK
}
# A loop to 0 draws nothing, which is how gnuplot wants an empty set.
plot for [i = 1:lines] sprintf("$line%d", i) using 1:2 with lines linecolor rgb color(line_kind[i]) linewidth thickness[i] \
        dashtype dash[i], \
    for [i = 1:(dots > 0)] $dots using 1:(strcol(3) eq 'NaN' ? NaN : $2):3:4 with yerrorbars pointtype 0 linecolor rgb INK \
        linewidth 1.3, \
    for [i = 1:(dots > 0)] $dots using 1:2:(color(strcol(5))) with points pointtype 7 pointsize 1 linecolor rgb variable
unset output
