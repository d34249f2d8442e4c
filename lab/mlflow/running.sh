# A process that has logged a run logs another one.
exec "$PROGRAM/venv/bin/python" "$HERE/runs.py" 2 wait
