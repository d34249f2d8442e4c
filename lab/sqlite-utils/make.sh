utils="$PROGRAM/venv/bin/sqlite-utils"
"$PROGRAM/venv/bin/python" -c '
import json
print(json.dumps([{"id": i, "name": f"Plant {i} grün", "family": f"Family {i % 7}", "height": i / 7, "tags": ["a", i], "note": None} for i in range(1, 201)]))' >plants.json
"$utils" insert plants.db plants plants.json --pk id
"$utils" extract plants.db plants family --table families
"$utils" enable-fts plants.db plants name tags --create-triggers --fts5
"$utils" create-view plants.db tall "SELECT id, name FROM plants WHERE height > 20"
"$utils" create-table plants.db sowings plant integer day text grams float --pk plant --pk day --fk plant plants id
"$utils" query plants.db "INSERT INTO sowings SELECT id, date('2025-01-01', id || ' days'), id * 0.1 FROM plants WHERE id < 60"
"$utils" enable-counts plants.db plants sowings
"$utils" enable-wal plants.db
