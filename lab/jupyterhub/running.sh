# A hub that has read its file goes on to make users.
exec "$PROGRAM/venv/bin/python" "$HERE/hub.py" 2 wait
