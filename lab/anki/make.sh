"$PROGRAM/venv/bin/python" "$HERE/cards.py" make
