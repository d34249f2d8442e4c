# Datasette has the file open, and goes on to serve it.
exec "$PROGRAM/venv/bin/python" "$HERE/serve.py"
