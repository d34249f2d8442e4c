#!/bin/sh
# Migrates a real legacy database to the sample models, printing every step. Leaves nothing behind but a build.
set -eu
cd "$(dirname "$0")/.."
SWIFT=${SWIFT:-swift}

scripts/setup.sh demo
echo "Building schemactl and the sample's own tool (the first time takes a few minutes) …"
"$SWIFT" build --product schemactl 2>&1 | tail -n 1
"$SWIFT" build --product notes-schema 2>&1 | tail -n 1
bin=$("$SWIFT" build --show-bin-path)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
database="$folder/notes.db"
sqlite3 "$database" <scripts/demo/legacy-notes.sql
"$bin/notes-schema" inspect --format sql >"$folder/notes.sql"

show() {
  printf '\n\033[1m$ %s\033[0m\n' "$1"
}

show "sqlite3 notes.db .schema            # a legacy file, made elsewhere"
sqlite3 "$database" .schema
show "schemactl plan notes.db --to notes.sql"
"$bin/schemactl" plan "$database" --to "$folder/notes.sql"
show "schemactl apply notes.db --to notes.sql --yes"
"$bin/schemactl" apply "$database" --to "$folder/notes.sql" --yes
show "schemactl check notes.db --to notes.sql"
"$bin/schemactl" check "$database" --to "$folder/notes.sql"
show "notes-schema check notes.db         # the same check against the Swift models"
"$bin/notes-schema" check "$database"
show "schemactl history notes.db"
"$bin/schemactl" history "$database"
show "sqlite3 notes.db 'SELECT …'         # every row is still there, under its key"
sqlite3 -header -column "$database" \
  "SELECT rowid, title, typeof(noteID) AS key, fontSize, length(CAST(text AS BLOB)) AS bytes, length(imagesData) AS images FROM Note"
