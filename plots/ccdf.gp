# CCDF: the share of IPIs that take longer than a latency, both axes logarithmic: how heavy the tail is.
#
#   gnuplot -c ccdf.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per point:
#   series (quoted or not)  latency_ns  share_above (0..1)
# Rows of a series follow each other, latency growing. A share of 0 leaves the sheet at the bottom;
# a series that ends above it has too few IPIs beyond. The first 24 series are drawn.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c ccdf.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("ccdf.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "Too few IPIs for a tail: 30 must lie above a latency. More sends or replications help."
    @NOTHING
    exit
}
in(i) = i <= 24
stats data skip 1 using (in(series(strcol(1))) ? $2 : NaN) nooutput
low = STATS_min
high = STATS_max
stats data skip 1 using ($3 > 0 ? $3 : NaN) nooutput
least = STATS_min
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
set xlabel "latency, ".unit.", logarithmic".rest
set logscale xy
span = high > low ? (high / low)**0.06 : 1.0
span = span < 1.05 ? 1.05 : span
set xrange [low / scale / span : high / scale * span]
set format x "%g"
set xtics (1e-3) nomirror
if (high < 2 * low) { # close to linear: about eight equal steps
    wide = (high * span - low / span) / scale / 8
    step = 10**floor(log10(wide))
    step = wide > 5 * step ? 10 * step : wide > 2 * step ? 5 * step : wide > step ? 2 * step : step
    first = ceil(low / span / scale / step)
    do for [k = 0:9] { set xtics add ((first + k) * step) }
} else { # 1, 2, 5 of a decade, or more of them
    do for [d = -2:7] {
        do for [k in high < 4 * low ? "1 1.2 1.4 1.6 1.8 2 2.5 3 3.5 4 5 6 7 8 9" : high < 20 * low ? "1 1.5 2 3 4 5 7" : "1 2 5"] {
            set xtics add (k * 10.0**d)
        }
    }
}

# A whole decade at the bottom, so that lines that leave the sheet do so below the last share told.
bottom = 10**floor(log10(least) - 0.001)
bottom = bottom > 0.1 ? 0.1 : bottom
set ylabel "share of IPIs that take longer, logarithmic"
set yrange [bottom : 1.3]
set ytics nomirror ("100 %%" 1, "10 %%" 0.1, "1 %%" 0.01, "0.1 %%" 1e-3, "0.01 %%" 1e-4, \
                    "0.001 %%" 1e-5, "0.0001 %%" 1e-6, "0.00001 %%" 1e-7, "0.000001 %%" 1e-8, "" 1e-9)
set grid ytics xtics lc rgb "#dddddd" lt 1 lw 1

# Steps, since the share is known at these latencies and does not grow between them. A marker
# at shares spread over the line, elsewhere for each series.
share(s) = s > 0 ? s : bottom / 100
array seen[24]
do for [i = 1:24] { seen[i] = 0 }
marked(i) = (seen[i] = seen[i] + 1, (seen[i] - 1) % 24 == (i * 7) % 24)

plot for [i = 1:drawn] data skip 1 using (plain(strcol(1)) eq name[i] ? $2 / scale : NaN):(share($3)) \
         with steps lc rgb colour(i) dt dash(i) lw 2 notitle, \
     for [i = 1:drawn] data skip 1 \
         using (plain(strcol(1)) eq name[i] ? (marked(i) || $3 == 0 || $3 == 1 ? $2 / scale : NaN) : NaN):($3 > 0 ? $3 : bottom) \
         with points lc rgb colour(i) pt marker(i) ps 1.1 lw 1.5 notitle, \
     for [i = 1:drawn] keyentry with linespoints lc rgb colour(i) dt dash(i) lw 2 pt marker(i) \
         ps 1.1 title name[i]
@CLOSE
