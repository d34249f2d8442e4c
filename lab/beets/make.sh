cat >config.yaml <<'C'
directory: music
library: library.db
plugins: []
threaded: no
import: {copy: yes, autotag: no, quiet: yes, log: import.log}
C
mkdir tracks
"$PROGRAM/venv/bin/python" "$HERE/tracks.py" tracks Night 1 24
"$PROGRAM/venv/bin/python" "$HERE/tracks.py" tracks Day 1 12
export BEETSDIR="$PWD"
beet="$PROGRAM/venv/bin/beet"
"$beet" import tracks
"$beet" modify -y album:Night mood=calm
"$beet" modify -y -a album:Day shelf=B3
test "$("$beet" ls | wc -l)" -eq 36
