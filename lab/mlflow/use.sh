# Logs more runs and a model, searches all, and deletes and restores a run.
"$PROGRAM/venv/bin/python" "$HERE/runs.py" 2
