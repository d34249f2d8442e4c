#!/bin/sh
# sqldiff prints the SQL that makes the first of two databases into the second, and lists what it leaves out
# (https://sqlite.org/sqldiff.html). Collations are not in that list. sqldiff of SQLite 3.54.0 compares two values as the column compares
# them. In a column that is COLLATE NOCASE it finds no difference between ada and Ada, and its script leaves the first file as it is. A
# key that differs in letter case counts as the same row, and an integer as the same as its real number. The same two files without the
# collation differ. An empty answer is no proof that a copy or a migration kept the texts. A comparison must use COLLATE BINARY and typeof().
# Guess before the run: each pair of files differs.
# Takes sqldiff of SQLite 3.54.0 out of sqlite3-sqldiff 3.54.0 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install --only-binary=:all: sqlite3-sqldiff==3.54.0
cat > diff.py <<'P'
import importlib.metadata, os, sqldiff, sqlite3

def compared(columns, first, second):
    found = []
    for name, value in ('first.db', first), ('second.db', second):
        if os.path.exists(name):
            os.remove(name)
        connection = sqlite3.connect(name)
        connection.execute('CREATE TABLE member (%s)' % columns)
        connection.execute('INSERT INTO member (name) VALUES (?)', (value,))
        connection.commit()
        found.append(connection.execute('SELECT name FROM member').fetchone()[0])
        connection.close()
    assert repr(found) == repr([first, second]), found
    return sqldiff.diff('first.db', 'second.db')

cases = [('id INTEGER PRIMARY KEY, name TEXT', 'ada', 'Ada', "UPDATE member SET name='Ada' WHERE id=1;\n"),
         ('id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE', 'ada', 'Ada', ''),
         ('name TEXT COLLATE NOCASE PRIMARY KEY, note TEXT', 'ada', 'Ada', ''),
         ('id INTEGER PRIMARY KEY, name', 1, 1.0, '')]
print('sqlite3-sqldiff %s, read back by SQLite %s' % (importlib.metadata.version('sqlite3-sqldiff'), sqlite3.sqlite_version))
for columns, first, second, expected in cases:
    script = compared(columns, first, second)
    print('%s: %r and %r: script %r' % (columns, first, second, script))
    assert script == expected, (columns, script)
P
venv/bin/python diff.py
