# A process that has the cache open goes on with it.
exec "$PROGRAM/venv/bin/python" "$HERE/keys.py" wait
