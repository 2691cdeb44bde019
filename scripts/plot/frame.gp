# What every chart has around its panels, which take `body` pixels below `frame_top`. Makes `stem`.`kind` (png or svg); X
# and Y are pixels on the screen.
HEAD = 56; HEAD_LINE = 22; FOOT_LINE = 19

frame_top = HEAD + heads * HEAD_LINE
frame_bottom = frame_top + body + 12
height = frame_bottom + foots * FOOT_LINE + 8
X(pixel) = pixel / real(total)
Y(pixel) = 1 - pixel / real(height)
head_at(i) = Y(HEAD + (i - 0.5) * HEAD_LINE)
foot_at(i) = Y(frame_bottom + (i - 0.5) * FOOT_LINE)

if (kind eq 'png') {
    set terminal pngcairo size 2 * total, 2 * height fontscale 1.5 linewidth 2 pointscale 2 font TEXT background 'white'
} else {
    set terminal svg size total, height fixed font TEXT background 'white'
}
set output stem . '.' . kind

set label title at screen X(margin), Y(32) left noenhanced font TITLE textcolor rgb INK
do for [i = 1:heads] {
    indent = head_kind[i] eq '' ? 0 : 20
    if (indent > 0 && head_kind[i] ne 'continued') {
        set object rectangle center screen X(margin + 6), head_at(i) size screen X(12), 12.0 / height \
            fillcolor rgb color(head_kind[i]) fillstyle solid 1 noborder
    }
    set label head[i] at screen X(margin + indent), head_at(i) left noenhanced font TEXT textcolor rgb FAINT
}
do for [i = 1:foots] {
    set label foot[i] at screen X(margin), foot_at(i) left noenhanced font SMALL textcolor rgb FAINT
}
