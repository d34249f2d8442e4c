# Writes the Markdown files that are its arguments into the folder `out`, as DocC reads them: links to pages of docs/
# become links to articles, links to other files of the repository become their text, and fences lose the file name that
# the tests read.

# The file's name without its folder and its ending; that of a command's page has the program's name before it.
function page(path) {
  if (path ~ /commands\/[^\/]*$/) sub(/.*\//, "schemactl-", path)
  sub(/.*\//, "", path)
  sub(/\.md$/, "", path)
  return path
}

# The anchor that the code host gives to a heading, which is what the links have.
function anchor(heading) {
  heading = tolower(heading)
  gsub(/[^a-z0-9 _-]/, "", heading)
  gsub(/ /, "-", heading)
  return heading
}

# The anchor that DocC gives to it.
function fragment(heading) {
  gsub(/[`'"]/, "", heading)
  gsub(/ +/, "-", heading)
  return heading
}

function target(link, of,   parts, name) {
  if (link ~ /^(https?|doc):/) return link
  if (source ~ /commands\// && link !~ /^(#|[^#]*\/)/) link = "commands/" link
  split(link, parts, "#")
  name = parts[1] == "" ? of : page(parts[1])
  if (parts[1] ~ /^[.\/]*(docs\/)?(commands\/)?[^\/]+\.md$|^$/ && (name in pages)) {
    if (parts[2] == "") return "doc:" name
    if ((name "#" parts[2]) in headings) return "doc:" name "#" headings[name "#" parts[2]]
    print source ": no heading " link > "/dev/stderr"
    failed = 1
  }
  if (parts[1] ~ /\.svg$/) return parts[1]
  return ""
}

function flush(   rest, text, link) {
  rest = prose
  prose = ""
  while (match(rest, /\[[^]]*\]\([^)]*\)/)) {
    text = substr(rest, RSTART, RLENGTH)
    printf "%s", substr(rest, 1, RSTART - 1) > output
    rest = substr(rest, RSTART + RLENGTH)
    link = text
    sub(/^\[[^]]*\]\(/, "", link)
    sub(/\)$/, "", link)
    sub(/\]\([^)]*\)$/, "", text)
    link = target(link, current)
    printf "%s", (link == "" ? substr(text, 2) : text "](" link ")") > output
  }
  printf "%s", rest > output
}

BEGIN {
  for (i = 1; i < ARGC; i++) {
    name = page(ARGV[i])
    fenced = 0
    while ((getline line < ARGV[i]) > 0) {
      if (line ~ /^```/) fenced = !fenced
      if (fenced || line !~ /^#+ /) continue
      sub(/^#+ /, "", line)
      headings[name "#" anchor(line)] = fragment(line)
    }
    close(ARGV[i])
    if (ARGV[i] ~ /^docs\//) pages[name] = 1
  }
}

FNR == 1 {
  if (output != "") { flush(); close(output) }
  source = FILENAME
  current = page(source)
  output = out "/" current ".md"
  inFence = 0
}

/^```/ {
  inFence = !inFence
  flush()
  print (inFence ? $1 : $0) > output
  next
}

inFence { print > output; next }
{ prose = prose $0 "\n" }

END {
  flush()
  exit failed
}
