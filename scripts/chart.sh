#!/bin/sh
# Draws docs/strategies.svg from the figures in Benchmarks/RESULTS.md, so that the picture says what they say: the CPU time
# of the mixed change with each tool, over that of the best rebuild in C.
set -eu
cd "$(dirname "$0")/.."
awk -F '  +' '
  /^floor, in C/ { floor = $3 }
  /^The mixed change/ { reading = 1 }
  /^A change without a copy/ { reading = 0 }
  reading && NF >= 3 && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ {
    count++; names[count] = $1; ratios[count] = $3 / floor
    if (ratios[count] > most) most = ratios[count]
  }
  END {
    left = 250; width = 720; row = 30; height = count * row + 70; scale = (width - left - 70) / most
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " width " " height "\" role=\"img\" aria-labelledby=\"title\">"
    print "<title id=\"title\">CPU time of the mixed change, over a rebuild written in C</title>"
    print "<style>text{font:14px system-ui,sans-serif;fill:#1b1f24}.bar{fill:#9aa4b2}.ours{fill:#2563eb}.one{stroke:#1b1f24;stroke-dasharray:3 3}"
    print "@media(prefers-color-scheme:dark){text{fill:#e6e8eb}.bar{fill:#667085}.ours{fill:#60a5fa}.one{stroke:#e6e8eb}}</style>"
    print "<text x=\"0\" y=\"20\">CPU time of the mixed change, over a rebuild written in C (less is better)</text>"
    for (i = 1; i <= count; i++) {
      y = 40 + (i - 1) * row
      class = names[i] ~ /^SchemaKit/ ? "ours" : "bar"
      printf "<text x=\"0\" y=\"%d\">%s</text>", y + 15, names[i]
      printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"20\" rx=\"3\"/>", class, left, y, ratios[i] * scale
      printf "<text x=\"%.1f\" y=\"%d\">%.2f</text>\n", left + ratios[i] * scale + 8, y + 15, ratios[i]
    }
    printf "<line class=\"one\" x1=\"%.1f\" x2=\"%.1f\" y1=\"34\" y2=\"%d\"/>\n", left + scale, left + scale, 40 + count * row
    print "</svg>"
  }' Benchmarks/RESULTS.md >docs/strategies.svg
