# Searches, inserts, updates and deletes with sqlite-utils, and reads the same with Datasette.
utils="$PROGRAM/venv/bin/sqlite-utils"
before=$("$utils" query plants.db "SELECT count(*) FROM plants" --raw)
test "$before" -ge 200
echo '{"id": 100000, "name": "Quercus petraea", "families_id": 1, "height": 31.5, "tags": "[]"}' | "$utils" upsert plants.db plants - --pk id
"$utils" search plants.db plants petraea --nl | grep '"id": 100000'
"$utils" query plants.db "UPDATE plants SET name = 'Quercus robur' WHERE id = 100000"
"$PROGRAM/venv/bin/datasette" plants.db --get '/plants/plants.json?_search=robur&_shape=array' | grep -q 'Quercus robur'
"$PROGRAM/venv/bin/datasette" plants.db --get '/plants/tall.json?_shape=array&_size=1000' | grep -q 'Quercus robur'
"$utils" query plants.db "DELETE FROM plants WHERE id = 100000"
test "$("$utils" search plants.db plants robur --nl | grep -c robur || true)" -eq 0
test "$("$utils" query plants.db "SELECT count(*) FROM plants" --raw)" -eq "$before"
echo "[{\"plant\": 7, \"day\": \"$(date +%s%N)\", \"grams\": 0.25}]" | "$utils" insert plants.db sowings -
