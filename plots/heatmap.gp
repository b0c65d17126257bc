# Heat maps: mean latency from every node (row) to every node (column), a map per series, one scale for all.
#
#   gnuplot -c heatmap.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per series and pair of nodes:
#   series (quoted or not)  from_node  to_node  count  mean_ns
# Rows of a series follow each other. Pairs without mean_ns stay white. Darker is slower; up to 12
# nodes the cells also hold their number. The first 12 series are drawn.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c heatmap.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("heatmap.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "One node only, or no steady state."
    @NOTHING
    exit
}
low = 1e300
high = -1.0
take(v) = (low = v < low ? v : low, high = v > high ? v : high)
row_of(s) = series(s) <= 12 && strlen(strcol(5)) > 0 ? take(column(5)) : 0
stats data skip 1 using (row_of(strcol(1)), $2) nooutput
last = STATS_max
stats data skip 1 using 3 nooutput
last = STATS_max > last ? STATS_max : last
if (high < 0) {
    reason = "No pair of nodes has a mean."
    @NOTHING
    exit
}
nodes = int(last) + 1
drawn = n > 12 ? 12 : n
rest = n > drawn ? sprintf(" (%d of %d series)", drawn, n) : ""

# ---- the sheet -------------------------------------------------------------------------------
across = drawn <= 3 ? drawn : drawn == 4 ? 2 : drawn <= 9 ? 3 : 4
down = (drawn + across - 1) / across
width = 900
side = (width - 40.0 - 60 * across - 100) / across # of a map, pixels
side = side > 380 ? 380.0 : side
wrapped(i) = fill(name[i], side < 100 ? 14 : int(side / 7))
lines = 1
do for [i = 1:drawn] { lines = count_lines(wrapped(i)) > lines ? count_lines(wrapped(i)) : lines }
caption = 8 + 15 * lines # above a map: its name
foot = 44    # below: tics and the label
height = int(top + 24 + down * (side + caption + foot) + 8)
unit = high >= 1e6 ? "ms" : high >= 1e4 ? "µs" : "ns"
scale = high >= 1e6 ? 1e6 : high >= 1e4 ? 1e3 : 1.0
logarithmic = low > 0 && high >= 20 * low

@OPEN
unset key
set tmargin 0
left = (width - across * (side + 60) - 90) / 2.0 + 60
# One hue after another of growing darkness: readable in grey, too.
set palette defined (0 "#fff7d6", 0.25 "#f6cf71", 0.5 "#e38a4b", 0.75 "#a63d57", 1 "#3b1450")
if (logarithmic) { set logscale cb; set cbrange [low / scale : high / scale]
} else {
    room = high - low < 0.02 * high ? 0.01 * high : 0 # what is equal does not look different
    set cbrange [(low - room) / scale : (high + room) / scale]
}
set cblabel "mean latency, ".unit.(logarithmic ? ", logarithmic" : "").rest offset strlen(sprintf("%.0f", high / scale)) - 2, 0
set format cb "%g"
set border 31 lc rgb "#444444"
set xrange [-0.5 : nodes - 0.5]
set yrange [nodes - 0.5 : -0.5]
spacing = nodes <= 16 && side > 180 ? 1 : nodes <= 16 ? 2 : nodes <= 64 ? 8 : 32
set xtics 0, spacing scale 0 offset 0, 0.4
set ytics 0, spacing scale 0 offset 0.4, 0
unset grid

# Numbers where they fit: "850" takes 7 pixels a digit.
places = high - low < 20 && high < 1e4 ? "%.1f" : high >= 1e4 ? "%.2f" : "%.0f"
digits = strlen(sprintf(places, high / scale))
numbers = side / nodes > 7.5 * digits + 4
dark(v) = logarithmic ? log(v / low) > 0.55 * log(high / low) : v - low > 0.55 * (high - low) && high - low >= 0.02 * high
mean_of(i) = plain(strcol(1)) eq name[i] && strlen(strcol(5)) > 0 ? column(5) / scale : NaN

set multiplot
@TITLE
# Cells are drawn one by one, not as an image: sharp at every size.
set style fill solid 1.0 noborder
do for [i = 1:drawn] {
    column_i = (i - 1) % across
    row_i = (i - 1) / across
    x = left + column_i * (side + 60)
    y = top + 24.0 + caption + row_i * (side + caption + foot)
    set lmargin at screen x / width
    set rmargin at screen (x + side) / width
    set tmargin at screen 1 - y / height
    set bmargin at screen 1 - (y + side) / height
    if (i == drawn) {
        set colorbox user origin screen (left + across * (side + 60) - 40) / width, screen 1 - (top + 24.0 + caption + side) / height size screen 18.0 / width, screen side / height
    } else { unset colorbox }
    set label 2 wrapped(i) at graph 0.5, 1 + (10.0 + 15 * (count_lines(wrapped(i)) - 1)) / side center font key_font
    set xlabel "to node" offset 0, 0.8
    set ylabel "from node" offset 1, 0
    if (numbers) {
        plot data skip 1 using (mean_of(i) == mean_of(i) ? $3 : NaN):2:($3 - 0.5):($3 + 0.5):($2 - 0.5):($2 + 0.5):(mean_of(i)) with boxxyerror lc palette notitle, \
             data skip 1 using (mean_of(i) == mean_of(i) && !dark(mean_of(i) * scale) ? $3 : NaN):2:(sprintf(places, mean_of(i))) with labels font key_font tc rgb "#000000" notitle, \
             data skip 1 using (mean_of(i) == mean_of(i) && dark(mean_of(i) * scale) ? $3 : NaN):2:(sprintf(places, mean_of(i))) with labels font key_font tc rgb "#ffffff" notitle
    } else {
        plot data skip 1 using (mean_of(i) == mean_of(i) ? $3 : NaN):2:($3 - 0.5):($3 + 0.5):($2 - 0.5):($2 + 0.5):(mean_of(i)) with boxxyerror lc palette notitle
    }
    unset label 1
    unset label 3
}
unset multiplot
@CLOSE
