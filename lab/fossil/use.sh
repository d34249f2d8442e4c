# Reads the timeline and an old file, commits another file, searches, writes a ticket, and has Fossil verify every artifact.
. "$HERE/commands.sh"
cd checkout
before=$(check_ins)
test "$before" -ge 9
test "$(fossil cat notes.txt -r t3 | wc -l)" -eq 3
name="file$(date +%s%N).txt"
echo "content of $name" >"$name"
fossil add "$name"
fossil commit --no-warnings -m "Adds $name"
test "$(check_ins)" -eq $((before + 1))
fossil extras
fossil ticket add title "Fault of $name" status Open -R "$REPOSITORY"
fossil search -R "$REPOSITORY" "$name" | grep -q Adds
fossil wiki export Plan -R "$REPOSITORY" | grep -q 'A page'
fossil test-integrity -R "$REPOSITORY" | grep -q ' 0 errors'
