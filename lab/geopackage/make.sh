"$PROGRAM/venv/bin/python" "$HERE/layers.py" make
