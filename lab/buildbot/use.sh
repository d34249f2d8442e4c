# Starts the master, has it run two builds, and reads the properties and logs of these and of the first one.
"$PROGRAM/venv/bin/python" "$HERE/master.py" 2
