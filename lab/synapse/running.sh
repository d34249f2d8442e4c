# A server that has read the room goes on to take messages.
exec "$PROGRAM/venv/bin/python" "$HERE/server.py" 2 wait
