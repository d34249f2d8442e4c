# Starts the server, registers a user who joins the room and writes, reads all messages, and searches for an old one.
"$PROGRAM/venv/bin/python" "$HERE/server.py" 2
