# A process that is in the middle of an optimization goes on with it.
exec "$PROGRAM/venv/bin/python" "$HERE/study.py" 3 wait
