# Lists all books, adds one, changes its fields and the column of one's own, finds its text and that of an old one, and removes it.
. "$HERE/tool.sh"
books() { calibredb list --for-machine --fields title,authors,series,tags,*shelf >books.json; }
book() { grep -c "\"title\": \"$1\"" books.json || true; }
books
before=$(book '.*')
test "$before" -ge 12
test "$(book 'The Book 7')" -eq 1
grep -q '"\*shelf": "B7"' books.json
name="More $(date +%s%N)"
echo "$name" >more.txt
id=$(calibredb add --title "A $name" --authors "Carla Ñ" --tags all,more more.txt | sed -n 's/.*: \([0-9]*\).*/\1/p')
calibredb set_metadata "$id" --field "title:An $name" --field series:Shelf --field "tags:all,other" --field rating:4
calibredb set_custom shelf "$id" C9
calibredb fts_search --indexing-threshold 0 --output-format json books >found.json
grep -q '"book_id": 7' found.json
books
test "$(book "An $name")" -eq 1
grep -q '"\*shelf": "C9"' books.json
calibredb remove --permanent "$id"
books
test "$(book '.*')" -eq "$before"
