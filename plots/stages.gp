# Where the time goes: one stacked bar per series, one piece per stage, means that add up to the latency.
#
#   gnuplot -c stages.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated; the header line names the columns, the first being the series and
# the others the stages in path order; then a row per series: its name (quoted or not) and the mean of
# each stage in ns. Stages that are 0 everywhere are left out; a stage keeps its colour in all plots. The
# first 40 series are drawn.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c stages.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("stages.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
# Rows are numbered here, not named: two rows may have the same name.
array label[40]
rows = 0
row(s) = (rows = rows + 1, rows <= 40 ? (label[rows] = plain(s), rows) : rows)
@HAS_ROWS
if (!has_rows) {
    reason = "No run has figures."
    @NOTHING
    exit
}
stats data skip 1 using (row(strcol(1)), $2) nooutput
columns = int(STATS_columns)
drawn = rows > 40 ? 40 : rows
rest = rows > drawn ? sprintf(" (%d of %d series)", drawn, rows) : ""

# name[1..n]: stages that are not 0 everywhere; where[]: their columns
array where[64]
head = ""
used = 0
far = 0.0
do for [k = 2:columns] {
    stats data every ::0::0 using (head = strcol(k), 0) nooutput
    stats data skip 1 every ::0::(drawn - 1) using k nooutput
    if (STATS_max > 0) { used = used + 1; name[used] = plain(head); where[used] = k }
}
total(to) = sum [c = 2:to] column(c)
stats data skip 1 every ::0::(drawn - 1) using (total(columns)) nooutput
far = STATS_max

# ---- the sheet -------------------------------------------------------------------------------
widest = 0
do for [i = 1:drawn] {
    label[i] = fill(label[i], 45)
    widest = longest_line(label[i]) > widest ? longest_line(label[i]) : widest
}
key_lines = used > 0 ? key_rows(used) : 0
width = 900
height = 90 + 34 * drawn + 17 * key_lines + top
@OPEN
@TITLE
set lmargin at screen (30 + 7.5 * widest) / width
set bmargin at screen (17.0 * key_lines + 66) / height
set key at screen 0.5, (17.0 * key_lines + 8) / height top center vertical maxrows key_lines Left \
    reverse samplen 2 font key_font

unit = far >= 1e6 ? "ms" : far >= 1e4 ? "µs" : "ns"
scale = far >= 1e6 ? 1e6 : far >= 1e4 ? 1e3 : 1.0
set xlabel "mean time per stage, ".unit.rest
set xrange [0 : (far > 0 ? far / scale * 1.15 : 1)] # room for the totals
set yrange [0.4 : drawn + 0.6]
set ytics () scale 0
do for [i = 1:drawn] { set ytics add (label[i] drawn + 1 - i) }
set xtics nomirror
set grid xtics lc rgb "#dddddd" lt 1 lw 1 back

# By column, so that a stage looks the same in all plots; no two of 15 have both colour and pattern
# in common. Pattern 3 is solid.
pattern(i) = int(word("3 1 3 4 3 5 3 5 3 4 3 2 3 1 1", (where[i] - 2) % 15 + 1))
ink(i) = where[i] % 7 == 1 ? "#999999" : colour(where[i] - 1) # grey: large black pieces outshout the rest
set style fill border lc rgb "#333333"

y(r) = drawn - r
plot for [i = 1:used] data skip 1 every ::0::(drawn - 1) \
         using (0):(y($0)):(total(where[i] - 1) / scale):(total(where[i]) / scale):(y($0) - 0.36):(y($0) + 0.36) \
         with boxxyerror lc rgb ink(i) fillstyle pattern pattern(i) notitle, \
     data skip 1 every ::0::(drawn - 1) \
         using (total(columns) / scale):(y($0)):(sprintf("%.1f %s", total(columns) / scale, unit)) \
         with labels left offset 0.6, 0 font key_font notitle, \
     for [i = 1:used] keyentry with boxes lc rgb ink(i) fillstyle pattern pattern(i) title name[i]
@CLOSE
