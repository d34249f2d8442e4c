"$PROGRAM/venv/bin/python" "$HERE/objects.py" make
