#!/bin/sh
# Builds the example and uses its tool as its page says, in a temporary folder. Fails at the first output that is not as it
# should be.
set -eu
cd "$(dirname "$0")"
products="bookshop-schema schemactl"
. ../session.sh
bookshop=$built/bookshop-schema
schemactl=$built/schemactl
program=$bookshop

# The version of SQLite becomes VERSION, how long it took TIME.
simplified() {
  sed -E -e 's/SQLite [0-9.]+/SQLite VERSION/' -e 's/^Applied in [0-9.]+ [a-z]+/Applied in TIME/'
}

# refuses DATABASE SQL WORDS: whether a statement fails with these words.
refuses() {
  if sqlite3 "$1" "PRAGMA foreign_keys = ON; $2" 2>err; then fail "the database took: $2"; fi
  grep -q "$3" err || fail "$2 failed for another reason: $(cat err)"
}

# A new file: looked at, made, and right from then on.
expect 2 'pending: shop.db (does not exist yet) needs 6 changes to have the schema of the models
  create   authors  with 2 columns
  create   books  with 4 columns
  create   orders  with 3 columns
  create   order_lines  with 3 columns
  create   index books_by_author  on books
  create   index order_lines_by_book  on order_lines
shop.db does not exist: apply creates it with --create.' check shop.db
expect 0 'shop.db (new file): 6 changes in 4 tables and 2 indexes, SQLite VERSION

  1   +  create   authors                    with 2 columns
  2   +  create   books                      with 4 columns
  3   +  create   orders                     with 3 columns
  4   +  create   order_lines                with 3 columns
  5   +  create   index books_by_author      on books
  6   +  create   index order_lines_by_book  on order_lines

6 to add, 0 to change, 0 to rebuild, 0 to drop
Nothing was changed. shop.db does not exist: apply creates it with --create.' plan shop.db
[ ! -e shop.db ] || fail "a plan made the file"
expect 64 '! bookshop-schema: there is no terminal to ask on; pass --yes to apply the plan. Nothing was changed.' \
  apply shop.db --create --quiet
expect 0 '' apply shop.db --yes --create --quiet
expect 0 'in sync: shop.db has the schema of the models' check shop.db

# The database keeps to the models, whoever writes to it.
sqlite3 shop.db "INSERT INTO authors VALUES (1, 'Stanisław Lem'); INSERT INTO books VALUES (1, 'Solaris', 1, 950);
  INSERT INTO orders (id, customer) VALUES (1, 'Ada'); INSERT INTO order_lines VALUES (1, 1, 2)"
refuses shop.db "INSERT INTO books VALUES (2, 'Fiasco', 1, -1)" 'price >= 0\|books_price_check'
refuses shop.db "INSERT INTO books VALUES (2, 'Fiasco', 9, 950)" 'FOREIGN KEY'
refuses shop.db "DELETE FROM authors" 'FOREIGN KEY'
sqlite3 shop.db "PRAGMA foreign_keys = ON; DELETE FROM orders"
[ "$(sqlite3 shop.db 'SELECT count(*) FROM order_lines')" = 0 ] || fail "an order went and left its lines"

# The snapshot is for places where the models are not built: plain schemactl checks files with it.
"$bookshop" inspect --format json >schema.json
program=$schemactl
expect 0 'in sync: shop.db has the schema of schema.json' check shop.db --to schema.json
sqlite3 shop.db "DROP INDEX books_by_author"
expect 2 'pending: shop.db needs 1 change to have the schema of schema.json
  create   index books_by_author  on books' check shop.db --to schema.json
program=$bookshop
expect 0 '' apply shop.db --yes --quiet

# A database that was made by hand, with a column that had another name and a table of somebody else.
sqlite3 old.db "
  CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE books (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES authors, cost INTEGER NOT NULL);
  CREATE TABLE newsletter (email TEXT);
  INSERT INTO authors VALUES (1, 'Ursula K. Le Guin'), (2, 'Stanisław Lem');
  INSERT INTO books VALUES (1, 'The Dispossessed', 1, 1299), (2, 'Solaris', 2, 950);
  INSERT INTO newsletter VALUES ('ada@example.org')"
"$bookshop" plan old.db >out
grep -q 'rename column cost to price' out || fail "the rename is not planned: $(cat out)"
grep -q "1 object of the file is not managed by this schema; left unchanged: newsletter" out || fail "the other table: $(cat out)"
code=0
"$bookshop" plan old.db --exit-code >out || code=$?
[ "$code" -eq 2 ] || fail "plan --exit-code exits with $code and not with 2"
"$bookshop" apply old.db --yes >out
[ "$(tail -n 1 out | simplified)" = 'Applied in TIME; verified.' ] || fail "the adoption: $(cat out)"
expect 0 'in sync: old.db has the schema of the models' check old.db
[ "$(sqlite3 old.db 'SELECT title, price FROM books')" = 'The Dispossessed|1299
Solaris|950' ] || fail "the prices"
[ "$(sqlite3 old.db 'SELECT email FROM newsletter')" = ada@example.org ] || fail "the table of somebody else"
program=$schemactl
expect 2 'pending: old.db needs 1 change to have the schema of schema.json
  drop     newsletter  with 1 row' check old.db --to schema.json
expect 0 'in sync: old.db has the schema of schema.json' check old.db --to schema.json --ignore newsletter

# An author twice cannot be brought under UNIQUE: the file stays as it was.
program=$bookshop
sqlite3 bad.db "CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  INSERT INTO authors VALUES (1, 'Ada'), (2, 'Ada')"
before=$(cksum <bad.db)
code=0
"$bookshop" apply bad.db --yes >out 2>err || code=$?
[ "$code" -eq 3 ] && grep -q 'authors' out || fail "an author twice is not refused: $code $(cat out err)"
[ "$(cksum <bad.db)" = "$before" ] || fail "a refused file was changed"

printf 'The example works: %s commands did as they should.\n' "$count"
