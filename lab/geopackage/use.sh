# Reads two layers, searches one by place, and adds points that the search then finds.
"$PROGRAM/venv/bin/python" "$HERE/layers.py" use
