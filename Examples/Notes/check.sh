#!/bin/sh
# Builds the example and runs a session with it in a temporary folder. Fails at the first output that is not as it should be.
set -eu
cd "$(dirname "$0")"
legacy="$PWD/../../scripts/demo/legacy-notes.sql"
products=notes
. ../session.sh
program=$built/notes
notes=$program
# With NOTES_ADDRESS, the notes are in that database on servers, which has no images and no legacy.
if [ -n "${NOTES_ADDRESS:-}" ]; then
  notes=$folder/notes
  printf '#!/bin/sh\nexec "%s" "$@" --database "%s"\n' "$program" "$NOTES_ADDRESS" >"$notes"
  chmod +x "$notes"
  program=$notes
fi

# Times become TIME, and the names of stored files FILE.
simplified() {
  sed -E -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/g' \
    -e 's/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/FILE/g' -e "s|/[^ ]*/([^/ ]+\.attachments/)|\1|g"
}

files() {
  ls "$1.attachments" | wc -l | tr -d ' '
}

# A new file.
if [ -z "${NOTES_ADDRESS:-}" ]; then
  expect 2 '! notes: There is no file notes.db. "notes new" begins one.' list
fi
expect 0 'Note 1 is written.' new Groceries 'Milk and bread'
expect 0 'Note 2 is written.' new Trip 'Pack the tent' --font Futura --size 21 --colour 0000ff
expect 0 'Note 3 is written.' new '100% "Rock'"'"'n'"'"'Roll"' 'Bell 🔔'
expect 0 '3  TIME  100% "Rock'"'"'n'"'"'Roll"
2  TIME  Trip
1  TIME  Groceries' list
expect 0 'Trip
Pack the tent

Font:    Futura 21, #0000FF
Created: TIME
Changed: TIME' show 2

# Searching takes what is typed as it is.
expect 0 '1  TIME  Groceries' list --search MILK
expect 0 '3  TIME  100% "Rock'"'"'n'"'"'Roll"' list --search 0%
expect 0 'No note has this in it.' list --search _

# An edit changes what is named, and puts the note first; the date of its creation stays.
created=$("$notes" show 1 | grep Created)
sleep 1
expect 0 'Note 1 is changed.' edit 1 --body 'Milk, bread and eggs' --size 18.5
expect 0 'Groceries
Milk, bread and eggs

Font:    Helvetica Neue 18.5, #000000
Created: TIME
Changed: TIME' show 1
[ "$("$notes" show 1 | grep Created)" = "$created" ] || fail "an edit changed the date of creation"
[ "$("$notes" list | head -n 1 | cut -c1)" = 1 ] || fail "the note changed last is not the first"

# Whatever is refused changes nothing.
expect 1 '! notes: A note needs a title.' new '' x
expect 1 '! notes: A note needs a text.' edit 1 --body ''
expect 1 '! notes: The size of a font is more than 0.' edit 1 --size=-1
expect 2 '! notes: There is no note 9. "notes list" shows those that are there.' show 9
expect 2 '! notes: There is no note 9. "notes list" shows those that are there.' edit 9 --title x
expect 2 '! notes: There is no note 9. "notes list" shows those that are there.' delete 9
code=0
"$notes" edit 1 --colour red 2>err || code=$?
[ "$code" -eq 64 ] && grep -q "'red' is invalid" err || fail "a wrong colour is not told"
code=0
"$notes" edit 1 2>err || code=$?
[ "$code" -eq 64 ] && grep -q 'Say what to change' err || fail "an edit without a change is not told"
expect 0 'Groceries
Milk, bread and eggs

Font:    Helvetica Neue 18.5, #000000
Created: TIME
Changed: TIME' show 1

# Images are files that come and go with their notes: all of a command's or none.
if [ -z "${NOTES_ADDRESS:-}" ]; then
  printf 'tent' >tent.png
  printf 'map' >map.png
  expect 0 'tent.png is added to note 2.
map.png is added to note 2.' images add 2 tent.png map.png --frame 10,160,133,200
  expect 1 '! notes: nowhere.png cannot be read. Nothing was added.' images add 1 tent.png nowhere.png
  expect 1 '! notes: Note 2 has an image map.png already. Nothing was added.' images add 2 map.png
  [ "$(files notes.db)" -eq 2 ] || fail "a command that failed left files behind"
  expect 0 'tent.png, 133 × 200 at 10, 160
  notes.db.attachments/FILE, 4 bytes
map.png, 133 × 200 at 10, 160
  notes.db.attachments/FILE, 3 bytes' images list 2
  expect 0 'map.png is removed from note 2.' images remove 2 map.png
  expect 2 '! notes: Note 2 has no image map.png. "notes images list 2" shows those it has.' images remove 2 map.png
  [ "$(files notes.db)" -eq 1 ] || fail "an image that was removed is still there"
else
  printf 'tent' >tent.png
  code=0
  "$notes" images add 2 tent.png 2>err || code=$?
  [ "$code" -eq 1 ] && grep -q 'Attachments are files beside the database' err || fail "an image was added on a server: $(cat err)"
fi
expect 0 'Note 2 is deleted.' delete 2
[ -n "${NOTES_ADDRESS:-}" ] || [ "$(files notes.db)" -eq 0 ] || fail "the images of a deleted note are still there"

# Pages.
number=4
while [ "$number" -le 24 ]; do
  "$notes" new "Note $number" x >out
  number=$((number + 1))
done
[ "$("$notes" list --page 1 | tail -n 1)" = 'Page 1 of 2; 23 notes.' ] || fail "page 1"
[ "$("$notes" list --page 2 | wc -l | tr -d ' ')" = 4 ] || fail "page 2"
expect 0 'There are only 2 pages.' list --page 3

if [ -n "${NOTES_ADDRESS:-}" ]; then
  printf 'The example works on servers: %s commands did as they should.\n' "$count"
  exit
fi

# A file of the app's first version is kept, and brought here with all it holds.
sqlite3 old.db <"$legacy"
printf 'photo' >img_1457000060_0
printf 'photo' >img_1457000060_1
printf 'photo' >img_1457000120_0
expect 0 '1457000120  TIME  O'"'"'Neil "quote" ; DROP  (1 image)
1457000060  TIME  Trip  (2 images)
1457000000  TIME  Groceries
! notes: The file is brought to the present schema. It is kept as old.db.before.' list --database old.db
expect 0 'Trip
Pack the tent

Font:    Futura 21, #0000FF
Created: TIME
Changed: TIME
Image:   img_1457000060_0, 200 × 150 at 0, 0
Image:   img_1457000060_1, 133 × 200 at 10, 160' show 1457000060 --database old.db
expect 0 'img_1457000120_0, 50 × 50 at 0, 0
  old.db.attachments/img_1457000120_0, 5 bytes' images list 1457000120 --database old.db
"$notes" show 1457000060 --database old.db | grep -q 'Created: 2016-03-03 10:14:20' || fail "the date of a legacy note"
[ "$(sqlite3 old.db.before 'SELECT count(*) FROM Note')" = 3 ] || fail "the copy of the legacy file"
expect 0 'Note 1457000121 is written.' new After 'The old ones' --database old.db

# A legacy file that cannot be brought here without loss stays as it is, and the note that stands in the way is named.
for change in "title = NULL" "title = ''" "textColor = x'62706C6973743030'" "imagesData = x'62706C6973743030'"; do
  rm -f bad.db
  sqlite3 bad.db <"$legacy"
  sqlite3 bad.db "UPDATE Note SET $change WHERE noteID = 1457000060"
  before=$(cksum <bad.db)
  code=0
  "$notes" list --database bad.db >out 2>err || code=$?
  [ "$code" -eq 1 ] && grep -q 'See note 1457000060' err || fail "$change in a legacy file is not refused: $(cat out err)"
  [ "$(cksum <bad.db)" = "$before" ] || fail "a refused file was changed"
  [ ! -e bad.db.before ] || fail "a refused file was copied"
done
printf 'hello' >text.txt
expect 1 '! notes: text.txt is not a notes file.' list --database text.txt
[ "$(sqlite3 old.db 'PRAGMA integrity_check')" = ok ] || fail "integrity_check"

printf 'The example works: %s commands did as they should.\n' "$count"
