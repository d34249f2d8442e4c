# Follows all objects, reads a blob, writes more, undoes a transaction, finds a conflict, deletes, and packs the history.
"$PROGRAM/venv/bin/python" "$HERE/objects.py" use
