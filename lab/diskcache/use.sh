# Reads every value by its key, adds more, counts, takes from a queue, lets values expire, and has the cache check itself.
"$PROGRAM/venv/bin/python" "$HERE/keys.py" use
