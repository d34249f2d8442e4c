# Starts the hub, makes users, groups and tokens over its API, reads all users, and deletes one.
"$PROGRAM/venv/bin/python" "$HERE/hub.py" 2
