"$PROGRAM/venv/bin/python" "$HERE/keys.py" make
