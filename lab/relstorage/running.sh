# A process that has the storage open goes on with it.
exec "$PROGRAM/venv/bin/python" "$HERE/objects.py" wait
