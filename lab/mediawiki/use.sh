# Searches, follows links and histories, edits, moves and deletes a page with its jobs, and dumps every revision.
. "$HERE/tool.sh"
export MW_CONFIG_FILE="$PWD/LocalSettings.php"
ask() { maintain "$HERE/ask.php" "$@"; }
dumped() { maintain dumpBackup --full --quiet >dump.xml && grep -c "$1" dump.xml; }
test "$(ask words words17)" = 'Page 17'
test "$(ask words 'GRÜN words12')" = 'Page 12'
test "$(ask history 'Page 7')" -eq 5
test "$(ask links 'Page 20')" -eq 1
test "$(maintain getText 'Page 7')" = 'Line 4 of a page with a history'
before=$(dumped '<revision>')
word="more$(date +%s%N)"
echo "$word grün [[Page 20]] [[Category:Kind 1]]" | maintain edit --user Ada "New $word"
maintain runJobs
test "$(ask words "$word")" = "New ${word}"
test "$(ask links 'Page 20')" -eq 2
printf 'New %s|Moved %s\n' "$word" "$word" >moves
maintain moveBatch --u Ada moves
maintain runJobs
test "$(maintain getText "Moved $word" | cut -d' ' -f1)" = "$word"
printf 'Moved %s\nNew %s\n' "$word" "$word" >pages
maintain deleteBatch -u Admin pages
maintain runJobs
test "$(ask links 'Page 20')" -eq 1
test "$(ask words "$word")" = ''
echo "$word" | maintain edit --user Ada "Page $(date +%N)"
maintain refreshLinks --quiet
test "$(dumped '<revision>')" -eq $((before + 1))
test "$(dumped '<username>Ada</username>')" -ge 1
