# What the scripts of this folder share; loaded by them, not for use alone.
set encoding utf8
set datafile separator "\t"
set datafile missing ""

# ---- names of series, in order of first appearance -------------------------------------------
array name[4096]
n = 0
plain(s) = strlen(s) >= 2 && s[1:1] eq '"' ? s[2:strlen(s) - 1] : s
series(s) = n > 0 && name[n] eq plain(s) ? n : (n = n + 1, name[n] = plain(s), n)

# Does the file hold a row below its header? (A constant counts every line, whatever it holds.)
HAS_ROWS = 'stats data using (1) nooutput; has_rows = STATS_records > 1'

# ---- told apart by colour (Okabe and Ito; black and yellow last), marker, dash and pattern ----
colour(i) = word("#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000", (i - 1) % 7 + 1)
marker(i) = int(word("7 5 9 11 13 6 4 8 10 12 2 1 3 15 14", (i - 1) % 15 + 1))
dash(i) = (i - 1) % 4 + 1

# ---- text ------------------------------------------------------------------------------------
# Breaks at spaces, never inside a word, into lines of about equal length below 90 characters.
space_before(s, i) = i < 1 ? 0 : s[i:i] eq " " ? i : space_before(s, i - 1)
fill(s, k) = strlen(s) <= k || space_before(s, k + 1) == 0 ? s : \
             s[1:space_before(s, k + 1) - 1]."\n".fill(s[space_before(s, k + 1) + 1:strlen(s)], k)
wrap(s) = strlen(s) <= 90 ? s : fill(s, strlen(s) / (strlen(s) / 90 + 1) + 8)
count_lines(s) = strstrt(s, "\n") == 0 ? 1 : 1 + count_lines(s[strstrt(s, "\n") + 1:strlen(s)])
title_lines(s) = strlen(s) == 0 ? 0 : count_lines(wrap(s))
longest_line(s) = strstrt(s, "\n") == 0 ? strlen(s) : \
    strstrt(s, "\n") - 1 > longest_line(s[strstrt(s, "\n") + 1:strlen(s)]) ? strstrt(s, "\n") - 1 : \
    longest_line(s[strstrt(s, "\n") + 1:strlen(s)])

# Title and source stand in the middle of the sheet, whatever the margins of the plot are; `top` is their height.
top = 20 * title_lines(title) + (strlen(source) > 0 ? 18 : 0)
TITLE = 'set label 1 wrap(title) at screen 0.5, 1 - 22.0 / height center; set label 3 source at screen 0.5, 1 - (22.0 + 20 * title_lines(title)) / height center font key_font tc rgb "#555555"; set tmargin at screen 1 - (22.0 + top) / height'

# Rows of a key below the plot: as many columns as the longest of the first k names allows.
longest(k) = k < 1 ? 0 : strlen(name[k]) > longest(k - 1) ? strlen(name[k]) : longest(k - 1)
key_columns(k) = 880 / (75 + 7 * longest(k)) < 1 ? 1 : 880 / (75 + 7 * longest(k))
key_rows(k) = (k + key_columns(k) - 1) / key_columns(k)

# ---- output: the ending of `out` chooses; SVG has fixed ids and no date, so equal data, equal bytes
ending = strlen(out) > 4 ? out[strlen(out) - 3:strlen(out)] : ""
if (ending ne ".svg" && ending ne ".png") { print "output must end in .svg or .png: ".out; exit status 2 }
# The SVG terminal takes font sizes in pixels, the PNG one in points of 4/3 pixel; PNGs have twice the pixels.
key_font = ending eq ".svg" ? ",11" : ",8.25"
OPEN = ending eq ".svg" ? \
    'set terminal svg size width, height dynamic noenhanced font "DejaVu Sans,13" background "white"; set output out' : \
    'set terminal pngcairo size 2 * width, 2 * height noenhanced font "DejaVu Sans,9.75" fontscale 2 linewidth 2 pointscale 2 background "white"; set output out'
CLOSE = 'set output'
# A sheet that says why there is nothing to see. `reason` is set by the caller.
NOTHING = 'width = 900; height = 200; @OPEN; @TITLE; unset border; unset tics; unset key; set label 2 reason at screen 0.5, 0.4 center; plot [0:1] [0:1] NaN notitle; @CLOSE'
set border 3 lc rgb "#444444"

# ---- numeric axes: "workload.rate_per_s" is "workload.rate, M/s" with values up to `far` ------
ends(s, e) = strlen(s) > strlen(e) && s[strlen(s) - strlen(e) + 1:strlen(s)] eq e
cut(s, e) = s[1:strlen(s) - strlen(e)]
prefix(far) = far >= 1e9 ? "G" : far >= 1e6 ? "M" : far >= 1e3 ? "k" : ""
factor(far) = far >= 1e9 ? 1e9 : far >= 1e6 ? 1e6 : far >= 1e3 ? 1e3 : 1.0
axis_label(s, far) = ends(s, "_bytes_per_s") ? cut(s, "_bytes_per_s").", ".prefix(far)."B/s" : \
                     ends(s, "_per_s") ? cut(s, "_per_s").", ".(far >= 1e3 ? prefix(far)."/s" : "1/s") : \
                     ends(s, "_bytes") ? cut(s, "_bytes").", ".prefix(far)."B" : \
                     ends(s, "_ns") ? cut(s, "_ns").", ".(far >= 1e6 ? "ms" : far >= 1e4 ? "µs" : "ns") : s
axis_scale(s, far) = ends(s, "_per_s") || ends(s, "_bytes") ? factor(far) : \
                     ends(s, "_ns") ? (far >= 1e6 ? 1e6 : far >= 1e4 ? 1e3 : 1.0) : 1.0
# The x axis of `latency` and `gain`: from the globals axis, low_x, high_x (of the data), whole_x (all
# values are whole). Series stand a little beside each other where there are many: `beside`, up to 1 % of
# the axis.
AXIS = 'log_x = low_x > 0 && high_x >= 20 * low_x; x_scale = axis_scale(axis, high_x); set xlabel axis_label(axis, high_x).(log_x ? ", logarithmic" : ""); set format x "%g"; set xtics nomirror; if (log_x) { set logscale x; set xrange [low_x / x_scale / 1.2 : high_x / x_scale * 1.2]; set xtics (1e-3); do for [d = -2:10] { do for [k in "1 2 5"] { set xtics add (k * 10.0**d) } } } else { x_room = high_x > low_x ? 0.04 * (high_x - low_x) : high_x != 0 ? 0.1 * abs(high_x) : 1; set xrange [(low_x - x_room) / x_scale : (high_x + x_room) / x_scale]; if (whole_x && x_scale == 1 && high_x - low_x <= 20 && high_x > low_x) { set xtics 1 } }'
aside(i) = drawn > 3 ? 0.02 * (i - (drawn + 1) / 2.0) / drawn : 0.0
beside(x, i) = (log_x ? x * (high_x / low_x)**aside(i) : x + (high_x - low_x) * aside(i)) / x_scale
