#!/bin/sh
# Times, in a release build: planning and checking a database of 1,000 tables against an equal schema, and against one
# with a single new column. Prints the setup with the figures; they are for reading, no test depends on them.
set -eu
cd "$(dirname "$0")/.."
bin=.build/release/schemactl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk 'BEGIN {
  for (i = 0; i < 1000; i++) {
    printf "CREATE TABLE t%d (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '"''"', amount INTEGER CHECK (amount >= 0), ", i
    printf "price REAL, code TEXT COLLATE NOCASE, data BLOB, parent INTEGER REFERENCES t%d (id), UNIQUE (name, amount));\n", i % 10
    printf "CREATE INDEX i%d ON t%d (code, price DESC);\n", i, i
  }
}' >"$folder/schema.sql"
sed '1s/price REAL/price REAL, note TEXT/' "$folder/schema.sql" >"$folder/next.sql"
sqlite3 "$folder/app.db" <"$folder/schema.sql"

"$bin" --version
uname -sm
time_of() {
  name=$1
  shift
  for run in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$@" >/dev/null
    echo $((($(date +%s%N) - start) / 1000000))
  done | sort -n | sed -n 3p | { read -r median; printf '%-48s %5d ms (median of 5)\n' "$name" "$median"; }
}
time_of "plan, 1,000 tables, nothing to do" "$bin" plan "$folder/app.db" --to "$folder/schema.sql"
time_of "plan, 1,000 tables, one new column" "$bin" plan "$folder/app.db" --to "$folder/next.sql"
"$bin" apply "$folder/app.db" --to "$folder/schema.sql" --yes --create >/dev/null
time_of "apply, 1,000 tables, nothing to do" "$bin" apply "$folder/app.db" --to "$folder/schema.sql" --yes
time_of "the same file opened and read by sqlite3" sqlite3 "$folder/app.db" "SELECT count(*) FROM t1"
