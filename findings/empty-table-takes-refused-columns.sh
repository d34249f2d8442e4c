#!/bin/sh
# ADD COLUMN takes no NOT NULL without a default, no default that is computed, and no stored generated column
# (https://sqlite.org/lang_altertable.html#altertabaddcol). The page makes no exception. SQLite 3.46.1 and 3.54.1 refuse these columns
# where the table holds a row, and add each of them to an empty table, where they work as declared. A UNIQUE column alone is refused in
# both. A migration that was tried on a new file, or on a copy of the schema without rows, has therefore not been tried: it passes there and
# stops in the files of users. It also stops halfway there, because the same statement succeeds for the empty tables of a file. A trial
# needs one row in each table.
# Guess before the run: each statement is refused, as the page says, with a row and without.
# Takes SQLite 3.46.1 out of apsw 3.46.1.0 and 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > add.py <<'P'
import apsw

columns = ['made TEXT NOT NULL', 'made TEXT DEFAULT CURRENT_TIMESTAMP', 'days INTEGER DEFAULT (7 * 4)', 'name TEXT AS (upper(code)) STORED',
           'parent INTEGER DEFAULT 1 REFERENCES item', 'mark TEXT UNIQUE']

def add(column, rows):
    database = apsw.Connection(':memory:')
    database.execute('PRAGMA foreign_keys = ON; CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT)')
    if rows:
        database.execute("INSERT INTO item VALUES (1, 'a')")
    try:
        database.execute('ALTER TABLE item ADD COLUMN ' + column)
    except apsw.SQLError as error:
        assert column.split()[0] not in database.execute("SELECT sql FROM sqlite_schema").fetchone()[0]
        return 'refused'
    try:
        database.execute("INSERT INTO item (id, code) VALUES (1, 'b')")
        return 'added, a new row has %r' % database.execute('SELECT %s FROM item' % column.split()[0]).fetchone()[0]
    except apsw.ConstraintError as error:
        assert 'NOT NULL constraint failed' in str(error), error
        return 'added, a new row needs a value'

print('SQLite ' + apsw.sqlite_lib_version())
for column in columns:
    empty, full = add(column, 0), add(column, 1)
    print('  %s: no row: %s; one row: %s' % (column, empty, full))
    assert full == 'refused', full
    assert empty.startswith('refused' if 'UNIQUE' in column else 'added'), empty
P
for version in 3.46.1.0 3.54.1.0; do
    python3 -m venv venv$version
    venv$version/bin/pip -q install apsw==$version
    venv$version/bin/python add.py
done
