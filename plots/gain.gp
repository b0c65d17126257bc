# What a policy gains over another along an axis: share of the mean latency saved, with 95 % intervals.
#
#   gnuplot -c gain.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per point:
#   axis (name, ending in its unit)  series (quoted or not)  x  gain (share)  low  high  gain_ns  verdict
# x grows within a series. low and high are empty where there is no interval; gain is empty where the two
# cannot be compared. Intervals are bands for up to three series, bars for more. The first 24 series are drawn.
# From four series on, points stand up to 1 % of the axis beside their x, so that they do not hide each other.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c gain.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("gain.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "One policy only, or no numeric axis in the sweep."
    @NOTHING
    exit
}
find(s, i) = i > n ? 0 : name[i] eq s ? i : find(s, i + 1)
known(s) = find(s, 1) > 0 ? find(s, 1) : (n = n + 1, name[n] = s, n)
axis = ""
whole_x = 1
stats data skip 1 using (axis = strcol(1), whole_x = whole_x && $3 == floor($3), known(plain(strcol(2))), $3) nooutput
low_x = STATS_min
high_x = STATS_max
drawn = n > 24 ? 24 : n
rest = n > drawn ? sprintf(" (%d of %d series)", drawn, n) : ""
low = 0.0
high = 0.0
take(v) = (low = v < low ? v : low, high = v > high ? v : high)
in(c) = find(plain(strcol(2)), 1) <= drawn && strlen(strcol(c)) > 0
# Lists of series that have gains, and intervals: gnuplot would warn of what has none.
gains = ""
intervals = ""
nth(list, k) = int(word(list, k))
add(list, i) = strstrt(list, sprintf(" %d ", i)) > 0 ? list : list.sprintf(" %d ", i)
sort(i) = (in(4) ? (gains = add(gains, i)) : 0, in(5) ? (intervals = add(intervals, i)) : 0)
stats data skip 1 using (sort(find(plain(strcol(2)), 1)), 0) nooutput
do for [c = 4:6] { stats data skip 1 using (in(c) ? take(column(c)) : 0, 0) nooutput }

# ---- the sheet -------------------------------------------------------------------------------
rows = key_rows(drawn)
width = 900
height = 480 + 17 * rows + top
@OPEN
@TITLE
set bmargin at screen (17.0 * rows + 72) / height
set key at screen 0.5, (17.0 * rows + 8) / height top center vertical maxrows rows Left reverse \
    samplen 3 font key_font

room = 0.08 * (high - low) + 0.002
set yrange [100 * (low - room) : 100 * (high + room)]
set ylabel "gain: share of mean latency saved".rest
set format y "%+g %%"
set ytics add ("0 %%" 0) nomirror
@AXIS
set grid ytics xtics lc rgb "#dddddd" lt 1 lw 1
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb "#444444" lw 1.5 back

x(i, c) = plain(strcol(2)) eq name[i] && strlen(strcol(c)) > 0 ? beside($3, i) : NaN
bands = drawn <= 3 ? intervals : ""
bars = drawn <= 3 ? "" : intervals
set errorbars 0.6
set datafile missing NaN # rows of other series do not break a line
set style fill transparent solid 0.2 noborder
# What is empty is not plotted: gnuplot would warn of it.
BANDS = words(bands) == 0 ? '' : 'for [k = 1:words(bands)] data skip 1 using (x(nth(bands, k), 5)):(100 * column(5)):(100 * column(6)) \
    with filledcurves lc rgb colour(nth(bands, k)) notitle,'
LINES = words(gains) == 0 ? '' : 'for [k = 1:words(gains)] data skip 1 using (x(nth(gains, k), 4)):(100 * column(4)) \
    with lines lc rgb colour(nth(gains, k)) dt dash(nth(gains, k)) lw 2 notitle,'
BARS = words(bars) == 0 ? '' : 'for [k = 1:words(bars)] data skip 1 using (x(nth(bars, k), 5)):(100 * column(4)):(100 * column(5)):(100 * column(6)) \
    with yerrorbars lc rgb colour(nth(bars, k)) pt -1 lw 1.5 notitle,'
POINTS = words(gains) == 0 ? '' : 'for [k = 1:words(gains)] data skip 1 using (x(nth(gains, k), 4)):(100 * column(4)) \
    with points lc rgb colour(nth(gains, k)) pt marker(nth(gains, k)) ps 1.1 lw 1.5 notitle,'
plot @BANDS @LINES @BARS @POINTS for [i = 1:drawn] keyentry with linespoints lc rgb colour(i) dt dash(i) lw 2 pt marker(i) \
         ps 1.1 title name[i]
@CLOSE
