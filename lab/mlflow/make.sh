"$PROGRAM/venv/bin/python" "$HERE/runs.py" 12
