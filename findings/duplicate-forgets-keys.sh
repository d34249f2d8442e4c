#!/bin/sh
# sqlite-utils offers duplicate() to copy the schema and the rows of a table
# (https://sqlite-utils.datasette.io/en/stable/python-api.html#duplicating-tables). Version 4.2.1 copies the names, the values and a
# short form of the types. The primary key, NOT NULL, UNIQUE, CHECK and DEFAULT are left out, and a generated column becomes an ordinary
# one. The copy takes a number or a code twice, a code that is NULL and a stock below zero. A duplicate is often made before a risky
# change, to be put back if the change fails. A table that is put back from it has lost its rules. The text of the table in sqlite_master
# has to be kept as well.
# One would expect: key, NOT NULL and defaults are copied.
# Takes sqlite-utils 4.2.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlite-utils==4.2.1
cat > duplicate.py <<'P'
import importlib.metadata, sqlite3, sqlite_utils

database = sqlite_utils.Database(memory=True)
database.execute('CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, stock INTEGER DEFAULT 5 CHECK (stock >= 0),'
                 ' twice INTEGER AS (stock * 2))')
database.execute("INSERT INTO part (id, code) VALUES (1, 'A1')")
database['part'].duplicate('saved')

def accepted(table):
    taken = []
    for values in "(id, code) VALUES (1, 'B2')", "(code) VALUES ('A1')", '(code) VALUES (NULL)', "(code, stock) VALUES ('C3', -1)":
        try:
            database.execute('INSERT INTO %s %s' % (table, values))
            taken.append(values)
        except sqlite3.IntegrityError:
            pass
    return len(taken)

print('sqlite-utils %s, SQLite %s' % (importlib.metadata.version('sqlite-utils'), sqlite3.sqlite_version))
seen = {}
for table in 'part', 'saved':
    rows = database.execute('SELECT * FROM %s' % table).fetchall()
    seen[table] = rows, database[table].pks, accepted(table)
    print('%s: rows %s, key %s, wrong rows accepted of 4: %d' % (table, *seen[table]))
declared = ' '.join(database['saved'].schema.split())
print('declared: ' + declared)
assert seen['part'] == ([(1, 'A1', 5, 10)], ['id'], 0), seen
assert seen['saved'] == ([(1, 'A1', 5, 10)], ['rowid'], 4), seen
assert declared == 'CREATE TABLE saved( id INT, code TEXT, stock INT, twice INT )', declared
P
venv/bin/python duplicate.py
