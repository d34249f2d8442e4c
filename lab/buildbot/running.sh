# A master that has started goes on to run builds.
exec "$PROGRAM/venv/bin/python" "$HERE/master.py" 2 wait
