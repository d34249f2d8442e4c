# Goes on with the study by some trials, and reads all of it.
"$PROGRAM/venv/bin/python" "$HERE/study.py" 3
"$PROGRAM/venv/bin/optuna" trials --storage sqlite:///study.db --study-name lab -f json | grep -q "user_attrs_note\|note"
