"$PROGRAM/venv/bin/python" "$HERE/study.py" 40
