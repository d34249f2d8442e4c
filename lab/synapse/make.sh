"$PROGRAM/venv/bin/python" "$HERE/server.py" 30 settle
