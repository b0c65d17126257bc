# How busy ITSs and links are: a bar per server and series, from 0 to 100 %.
#
#   gnuplot -c utilisation.gp DATA.tsv OUT.svg|OUT.png ["title" ["source"]]
#
# title: the answer in a sentence; source: a small line below it, e.g. scenario and version.
# DATA.tsv: tab separated, one header line, then a row per server and series:
#   series (quoted or not)  kind (its or link)  server  utilisation (0..1)  wait_ns  steady (1 or 0)
# Rows of a server follow each other, ITSs first, the busiest first. As many servers are drawn as the sheet
# holds, ITSs and links half each, and the first 24 series. A hollow bar: the series has no steady state.
# Needs gnuplot 5.4. On failure the exit status is not 0 or OUT is empty: check both.

if (ARGC < 2) { print "usage: gnuplot -c utilisation.gp DATA.tsv OUT.svg|OUT.png [TITLE [SOURCE]]"; exit status 2 }
data = ARG1
out = ARG2
title = ARGC < 3 ? "" : ARG3
source = ARGC < 4 ? "" : ARG4
load ARG0[1:strlen(ARG0) - strlen("utilisation.gp")]."common.gp"

# ---- what is in the file ---------------------------------------------------------------------
@HAS_ROWS
if (!has_rows) {
    reason = "No ITS and no link was ever busy."
    @NOTHING
    exit
}
find(s, i) = i > n ? 0 : name[i] eq s ? i : find(s, i + 1)
known(s) = find(s, 1) > 0 ? find(s, 1) : (n = n + 1, name[n] = s, n)
array server[512] # "ITS 3", "link n0-n1"
servers = 0
its_count = 0
label_of(kind, s) = (kind eq "its" ? "ITS " : "link ").plain(s)
note(kind, s) = servers > 0 && server[servers] eq label_of(kind, s) ? servers : servers >= 512 ? servers : \
                (servers = servers + 1, its_count = its_count + (kind eq "its"), server[servers] = label_of(kind, s), servers)
lost = "" # numbers of series without a steady state
lose(i, steady) = steady == 1 || strstrt(lost, sprintf(" %d ", i)) > 0 ? i : (lost = lost.sprintf(" %d ", i), i)
stats data skip 1 using (lose(known(plain(strcol(1))), $6), note(strcol(2), strcol(3)), 0) nooutput
drawn = n > 24 ? 24 : n

# Rows of bars: about 80, at most 20 servers and at least 2 of a kind.
room = 80 / drawn > 20 ? 20 : 80 / drawn < 4 ? 4 : 80 / drawn
links = servers - its_count
its_drawn = its_count <= room / 2 ? its_count : links < room / 2 ? (its_count < room - links ? its_count : room - links) : room / 2
links_drawn = links < room - its_drawn ? links : room - its_drawn
shown = its_drawn + links_drawn
place(i) = i <= its_drawn ? i : i > its_count && i - its_count <= links_drawn ? i - its_count + its_drawn : 0
rest = n > drawn ? sprintf(", %d of %d series", drawn, n) : ""
rest = rest.(shown < servers ? sprintf(", the busiest %d ITSs and %d links", its_drawn, links_drawn) : "")
rest = rest.(words(lost) > 0 ? ", hollow: no steady state" : "")

# ---- the sheet -------------------------------------------------------------------------------
bar = drawn == 1 ? 18 : drawn <= 4 ? 11 : 8 # pixels
widest = 0
do for [i = 1:servers] { if (place(i) > 0) { widest = strlen(server[i]) > widest ? strlen(server[i]) : widest } }
rows = key_rows(drawn)
width = 900
height = 90 + (bar * drawn + 10) * shown + 17 * rows + top
@OPEN
@TITLE
set lmargin at screen (30 + 7.5 * widest) / width
set rmargin at screen 0.94
set bmargin at screen (17.0 * rows + 66) / height
set key at screen 0.5, (17.0 * rows + 8) / height top center vertical maxrows rows Left reverse \
    samplen 2 font key_font
set xlabel "utilisation, share of the time in which it is busy".rest
set xrange [0 : 1.0]
set xtics ("0 %%" 0, "20 %%" 0.2, "40 %%" 0.4, "60 %%" 0.6, "80 %%" 0.8, "100 %%" 1) nomirror
set yrange [shown + 0.5 : 0.5]
set ytics () scale 0
do for [i = 1:servers] { if (place(i) > 0) { set ytics add (server[i] place(i)) } }
set grid xtics lc rgb "#dddddd" lt 1 lw 1 back

# Solid, and patterns from the eighth series on, so that no two have both in common.
pattern(i) = int(word("3 1 4 2", (i - 1) / 7 % 4 + 1))
ink(i) = i % 7 == 0 ? "#999999" : colour(i)
thick = bar / (bar * drawn + 10.0) # of a bar, in rows
y(k, i) = k + (i - (drawn + 1) / 2.0) * thick
current = 0
seen_server = ""
# Place of the row's server; rows of a server follow each other.
search(s, i) = i > servers ? 0 : server[i] eq s ? i : search(s, i + 1)
turn(s) = s eq seen_server ? current : (seen_server = s, current = place(search(s, 1)))
at(kind, s) = turn(label_of(kind, s))
mine(i, steady) = plain(strcol(1)) eq name[i] && $6 == steady && at(strcol(2), strcol(3)) > 0
low_y(i) = y(current, i) - 0.45 * thick
high_y(i) = y(current, i) + 0.45 * thick
set style fill border lc rgb "#333333"
# What is empty is not plotted: gnuplot would warn of it.
SOLID = words(lost) == n ? '' : 'for [i = 1:drawn] data skip 1 using (mine(i, 1) ? 0 : NaN):(y(current, i)):(0):4:(low_y(i)):(high_y(i)) \
    with boxxyerror lc rgb ink(i) fillstyle pattern pattern(i) notitle,'
HOLLOW = words(lost) == 0 ? '' : 'for [i = 1:drawn] data skip 1 using (mine(i, 0) ? 0 : NaN):(y(current, i)):(0):4:(low_y(i)):(high_y(i)) \
    with boxxyerror lc rgb ink(i) lw 2 fillstyle empty border lc rgb ink(i) notitle,'
NUMBERS = drawn > 4 ? '' : 'for [i = 1:drawn] data skip 1 using ($4 > 0 && (mine(i, 0) || mine(i, 1)) ? $4 : NaN):(y(current, i)):(sprintf("%.1f %%", 100 * $4)) \
    with labels left offset 0.5, 0 font key_font notitle,'
plot @SOLID @HOLLOW @NUMBERS \
     for [i = 1:drawn] keyentry with boxes lc rgb ink(i) fillstyle pattern pattern(i) title name[i]
@CLOSE
