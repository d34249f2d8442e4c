#!/bin/sh
# Only the exact word INTEGER in front of PRIMARY KEY makes a column the number of the row; INT does not
# (https://sqlite.org/lang_createtable.html#rowid). sqlglot 30.30.0 reads a statement as SQLite and writes it for SQLite again, and turns
# INT into INTEGER on the way. The two statements look like one table. A row without a key holds NULL in the first table and a number in
# the second. A key that is a text goes into the first table and is an error in the second. A tool that prints a schema anew must treat the
# two words as two types, even though their affinity is one.
# One would expect: a statement that is read and written for one dialect keeps its types.
# Takes sqlglot 30.30.0 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlglot==30.30.0
cat > rewrite.py <<'P'
import importlib.metadata, sqlglot, sqlite3

def tried(statement):
    database, seen = sqlite3.connect(':memory:'), []
    database.execute(statement)
    for insert in "INSERT INTO part (name) VALUES ('bolt')", "INSERT INTO part VALUES ('A-7', 'nut')":
        try:
            database.execute(insert)
            seen.append('key %r' % database.execute('SELECT id FROM part ORDER BY name DESC').fetchone())
        except sqlite3.IntegrityError as error:
            seen.append(str(error))
    return seen

given = 'CREATE TABLE part (id INT PRIMARY KEY, name TEXT)'
written, = sqlglot.transpile(given, read='sqlite', write='sqlite')
print('sqlglot %s, SQLite %s' % (importlib.metadata.version('sqlglot'), sqlite3.sqlite_version))
answers = [tried(statement) for statement in (given, written)]
for statement, seen in zip((given, written), answers):
    print('%s: a row without a key: %s; a row with the key A-7: %s' % (statement, *seen))
assert written == 'CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT)', written
assert answers == [['key None', "key 'A-7'"], ['key 1', 'datatype mismatch']], answers
P
venv/bin/python rewrite.py
