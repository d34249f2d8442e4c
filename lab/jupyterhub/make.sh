"$PROGRAM/venv/bin/python" "$HERE/hub.py" 30
