# Finds what is there, imports one more album, changes a field and a free attribute, and removes the album again.
export BEETSDIR="$PWD"
beet="$PROGRAM/venv/bin/beet"
before=$("$beet" ls | wc -l)
test "$before" -ge 36
test "$("$beet" ls mood:calm | wc -l)" -eq 24
rm -rf more
"$PROGRAM/venv/bin/python" "$HERE/tracks.py" more Dusk 1 3
"$beet" import more
test "$("$beet" ls album:Dusk | wc -l)" -eq 3
"$beet" modify -y album:Dusk year=1839 mood=dark
test "$("$beet" ls -f '$title $year $mood' 'title:Dusk 2')" = 'Dusk 2 1839 dark'
"$beet" remove -f -d album:Dusk
test "$("$beet" ls | wc -l)" -eq "$before"
"$beet" modify -y title:'Night 7' rating=$(date +%s%N)
