# Mean latency along an axis, e.g. the load, with 95 % intervals; points without a steady state are marked.
#
#   gnuplot -c latency.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per point:
#   axis (name, ending in its unit)  series (quoted or not)  x  mean_ns  low_ns  high_ns  p99_ns  steady (1 or 0)
# x grows within a series. low_ns and high_ns are empty where there is no
# interval; a point that is not steady has no mean and stands in a strip above the plot. The first 24
# series are drawn.
# From four series on, points stand up to 1 % of the axis beside their x, so that they do not hide each other.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c latency.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("latency.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "No numeric axis in the sweep, or no run has figures."
    @NOTHING
    exit
}
# Series come in turns here, so each name is looked for.
find(s, i) = i > n ? 0 : name[i] eq s ? i : find(s, i + 1)
known(s) = find(s, 1) > 0 ? find(s, 1) : (n = n + 1, name[n] = s, n)
axis = ""
whole_x = 1
stats data skip 1 using (axis = strcol(1), whole_x = whole_x && $3 == floor($3), known(plain(strcol(2))), $3) nooutput
low_x = STATS_min
high_x = STATS_max
drawn = n > 24 ? 24 : n
# Of means, and of the ends of intervals as far as these are not far away. (A constant is counted
# whatever the cells hold; `stats` alone would fail where all are empty.)
low = 1e300
high = 0.0
take(v) = (low = v < low ? v : low, high = v > high ? v : high)
end(v) = (high = v > high && v < 2 * high ? v : high)
in(c) = find(plain(strcol(2)), 1) <= drawn && strlen(strcol(c)) > 0
stats data skip 1 using (in(4) ? take(column(4)) : 0, 0) nooutput
stats data skip 1 using (in(6) ? end(column(6)) : 0, 0) nooutput
if (high == 0) { low = 0; high = 1 }
# Lists of series that have means, intervals, points without a steady state: what has none is not
# plotted, for gnuplot would warn of it.
means = ""
intervals = ""
lost = ""
nth(list, k) = int(word(list, k))
add(list, i) = strstrt(list, sprintf(" %d ", i)) > 0 ? list : list.sprintf(" %d ", i)
sort(i) = (in(4) ? (means = add(means, i)) : 0, in(5) ? (intervals = add(intervals, i)) : 0, \
           i <= drawn && $8 == 0 ? (lost = add(lost, i)) : 0)
stats data skip 1 using (sort(find(plain(strcol(2)), 1)), 0) nooutput
rest = n > drawn ? sprintf(" (%d of %d series)", drawn, n) : ""

# Rows of the strip: series that have points without a steady state.
array strip[24]
do for [i = 1:24] { strip[i] = 0 }
strips = 0
do for [i in lost] { strips = strips + 1; strip[i] = strips }

# ---- the sheet -------------------------------------------------------------------------------
rows = key_rows(drawn)
width = 900
strip_height = strips > 0 ? 12.0 * strips + 26 : 0
height = 480 + 17 * rows + top + strip_height
plot_height = 480 - 72 - 22
@OPEN
@TITLE
set bmargin at screen (17.0 * rows + 72) / height
set key at screen 0.5, (17.0 * rows + 8) / height top center vertical maxrows rows Left reverse \
    samplen 3 font key_font

unit = high >= 1e6 ? "ms" : high >= 1e4 ? "µs" : "ns"
scale = high >= 1e6 ? 1e6 : high >= 1e4 ? 1e3 : 1.0
logarithmic = low > 0 && high >= 20 * low
set ylabel "mean latency, ".unit.(logarithmic ? ", logarithmic" : "").rest

# The strip lies above the highest mean: `part` of the plot below it, `row(k)` the height of its row k.
part = plot_height / (plot_height + strip_height)
to = logarithmic ? log10(high / scale * 1.3) : high / scale * 1.12
from = logarithmic ? log10(low / scale / 1.3) : 0
over(share) = logarithmic ? 10**(from + (to - from) / part * share) : (to / part) * share
strip_row(k) = over(part + (1 - part) * (12.0 * (k - 0.5) + 4) / (strip_height > 0 ? strip_height : 1))
set ytics (0) nomirror
if (logarithmic) {
    do for [d = -2:7] { do for [k in "1 2 5"] { v = k * 10.0**d; if (v < 10**to) { set ytics add (v) } } }
    set logscale y
    set yrange [10**from : over(1)]
} else {
    step = 10**floor(log10(to)) # a ladder of 1, 2, 5 with about five steps
    step = to / step < 2 ? step / 5 : to / step < 5 ? step / 2 : step
    do for [k = 0:12] { if (k * step < to) { set ytics add (k * step) } }
    set yrange [0 : over(1)]
}
set format y "%g"
@AXIS
set grid ytics xtics lc rgb "#dddddd" lt 1 lw 1
if (strips > 0) {
    set object 1 rectangle from graph 0, part to graph 1, 1 fillcolor rgb "#eeeeee" fillstyle solid noborder behind
    set label 4 "no steady state: the mean depends on the length of the run" \
        at graph 0.01, 1 - 11.0 / (plot_height + strip_height) font key_font tc rgb "#555555"
}

mine(i) = plain(strcol(2)) eq name[i]
mean(i) = mine(i) && $8 == 1 ? column(4) / scale : NaN
x(i, steady) = mine(i) && $8 == steady ? beside($3, i) : NaN
set errorbars 0.6
set datafile missing NaN # rows of other series do not break a line
# What is empty is not plotted: gnuplot would warn of it.
LINES = words(means) == 0 ? '' : 'for [k = 1:words(means)] data skip 1 using (x(nth(means, k), 1)):(mean(nth(means, k))) \
    with lines lc rgb colour(nth(means, k)) dt dash(nth(means, k)) lw 2 notitle,'
BARS = words(intervals) == 0 ? '' : 'for [k = 1:words(intervals)] data skip 1 using (strlen(strcol(5)) > 0 ? x(nth(intervals, k), 1) : NaN):(mean(nth(intervals, k))):(column(5) / scale):(column(6) / scale) \
    with yerrorbars lc rgb colour(nth(intervals, k)) pt -1 lw 1.5 notitle,'
POINTS = words(means) == 0 ? '' : 'for [k = 1:words(means)] data skip 1 using (x(nth(means, k), 1)):(mean(nth(means, k))) \
    with points lc rgb colour(nth(means, k)) pt marker(nth(means, k)) ps 1.1 lw 1.5 notitle,'
STRIP = words(lost) == 0 ? '' : 'for [k = 1:words(lost)] data skip 1 using (x(nth(lost, k), 0)):(strip_row(strip[nth(lost, k)])) \
    with points lc rgb colour(nth(lost, k)) pt marker(nth(lost, k)) ps 1 lw 1.5 notitle,'
plot @LINES @BARS @POINTS @STRIP for [i = 1:drawn] keyentry with linespoints lc rgb colour(i) dt dash(i) lw 2 pt marker(i) \
         ps 1.1 title name[i]
@CLOSE
