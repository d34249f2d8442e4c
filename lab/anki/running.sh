# Anki has its collection open, and goes on to add to it.
exec "$PROGRAM/venv/bin/python" "$HERE/cards.py" wait
