# Latency percentiles on a 1/(1-p) axis, one line per series: how the tail grows.
#
#   gnuplot -c percentiles.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per point:
#   series (quoted or not)  percentile (share 0..1)  inverse (1/(1-p))  latency_ns
# Rows of a series follow each other; blank lines between series do not matter. Rows that are not
# numbers (a percentile resting on too few samples) are left out. The first 24 series are drawn.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c percentiles.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("percentiles.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "Too few IPIs for a percentile: 30 must lie above it. More sends or replications help."
    @NOTHING
    exit
}
stats data skip 1 using (series(strcol(1)), $4) nooutput
low = STATS_min
high = STATS_max
stats data skip 1 using 3 nooutput
per_series = STATS_records / n
far = STATS_max
drawn = n > 24 ? 24 : n
rest = n > drawn ? sprintf(" (%d of %d series)", drawn, n) : ""

# ---- the sheet -------------------------------------------------------------------------------
rows = key_rows(drawn)
width = 900
height = 480 + 17 * rows + top
@OPEN
@TITLE
set bmargin at screen (17.0 * rows + 72) / height
set key at screen 0.5, (17.0 * rows + 8) / height top center vertical maxrows rows Left reverse \
    samplen 3 font key_font

unit = high >= 1e6 ? "ms" : high >= 1e4 ? "µs" : "ns"
scale = high >= 1e6 ? 1e6 : high >= 1e4 ? 1e3 : 1.0
logarithmic = low > 0 && high >= 20 * low
set ylabel "latency, ".unit.(logarithmic ? ", logarithmic" : "").rest
if (logarithmic) {
    set logscale y
    set yrange [low / scale / 1.3 : high / scale * 1.3]
    set ytics (1e-3) nomirror
    do for [d = -2:7] { do for [k in "1 2 5"] { set ytics add (k * 10.0**d) } }
} else {
    set ytics nomirror
    set yrange [0 : (high > 0 ? high / scale * 1.15 : 1)] # from 0: a flat line looks flat
}
set format y "%g"

set xlabel "percentile"
set logscale x
set xrange [1 : (far < 10 ? 10 : far * 1.15)]
set xtics ("0 %%" 1, "50 %%" 2, "90 %%" 10, "99 %%" 100, "99.9 %%" 1000, "99.99 %%" 1e4, \
           "99.999 %%" 1e5, "99.9999 %%" 1e6, "99.99999 %%" 1e7) nomirror
set grid ytics xtics lc rgb "#dddddd" lt 1 lw 1

# Where lines lie on each other, dashes let the lower ones through, and markers
# stand at different points of each.
step = drawn > per_series / 3 ? int(per_series / 3) : drawn
step = step < 1 ? 1 : step
array seen[24]
do for [i = 1:24] { seen[i] = 0 }
marked(i) = (seen[i] = seen[i] + 1, (seen[i] - 1) % step == (i - 1) % step)

plot for [i = 1:drawn] data skip 1 using (plain(strcol(1)) eq name[i] ? $3 : NaN):($4 / scale) \
         with lines lc rgb colour(i) dt dash(i) lw 2 notitle, \
     for [i = 1:drawn] data skip 1 \
         using (plain(strcol(1)) eq name[i] ? (marked(i) ? $3 : NaN) : NaN):($4 / scale) \
         with points lc rgb colour(i) pt marker(i) ps 1.1 lw 1.5 notitle, \
     for [i = 1:drawn] keyentry with linespoints lc rgb colour(i) dt dash(i) lw 2 pt marker(i) \
         ps 1.1 title name[i]
@CLOSE
