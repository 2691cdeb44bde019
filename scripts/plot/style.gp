# What every chart looks like. Lengths are pixels of the SVG; the PNG has twice as many.
set encoding utf8
set datafile separator "\t"
set datafile commentschars ""

SANS = 'DejaVu Sans'
TITLE = SANS . ':Bold,22'
STRONG = SANS . ':Bold,16'
TEXT = SANS . ',15'
SMALL = SANS . ',13'
CODE = SANS . ' Mono,15'

INK = '#1a1a1a'
FAINT = '#5f5f5f'
GRID = '#e2e2e2'

AXIS = 30 # room for the numbers below a panel

# A backend has one colour in every chart, and so has a verdict. From Okabe and Ito's palette, which the colour-blind can
# tell apart; these differ in lightness too.
backend_color(kind) = kind eq 'cpu' ? 0xE69F00 : kind eq 'cuda' ? 0x0072B2 : kind eq 'sim' ? 0xCC79A7 : 0x009E73
color(kind) = kind eq 'cleared' ? 0x0072B2 : kind eq 'slower' ? 0xD55E00 : kind eq 'inconclusive' ? 0xE69F00 : \
    kind eq 'suspected' ? 0xCC79A7 : kind eq 'layout' ? 0x56B4E9 : kind eq 'upload' ? 0x9A9A9A : kind eq 'download' ? 0xC4C4C4 : kind eq 'rest' ? 0xEEEEEE : \
    kind eq 'limit' ? 0x1A1A1A : kind eq 'past' ? 0x9A9A9A : backend_color(kind)

set style fill solid 1 noborder
set errorbars 0.6
unset key
unset border
unset ytics
