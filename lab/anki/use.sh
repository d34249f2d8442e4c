# Finds decks, tags and notes however they are written, adds notes and a deck, answers, renames, deletes, undoes, and checks everything.
"$PROGRAM/venv/bin/python" "$HERE/cards.py" use
