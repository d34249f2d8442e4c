#!/bin/sh
# sqldiff prints the SQL that makes the first of two databases into the second (https://sqlite.org/sqldiff.html). Where the second has
# one more column at the end, sqldiff of SQLite 3.54.0 prints ADD COLUMN with the name alone, and an UPDATE for the rows. The type, NOT
# NULL, DEFAULT and CHECK of the column are left out. A second run then prints nothing, although the two tables differ in all four. New
# rows hold NULL where the second database writes its default. An empty answer is therefore no proof that a migration came out as meant.
# Guess before the run: the column is added as it is declared, or the rest is reported.
# Takes sqldiff of SQLite 3.54.0 out of sqlite3-sqldiff 3.54.0 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install --only-binary=:all: sqlite3-sqldiff==3.54.0
cat > diff.py <<'P'
import importlib.metadata, sqldiff, sqlite3

def run(name, sql):
    connection = sqlite3.connect(name)
    connection.executescript(sql)
    connection.close()

def inserted(name):
    connection = sqlite3.connect(name)
    connection.execute("INSERT INTO part (id, label) VALUES (2, 'nut')")
    return connection.execute('SELECT stock, typeof(stock) FROM part WHERE id = 2').fetchone()

run('first.db', "CREATE TABLE part (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO part VALUES (1, 'bolt')")
run('second.db', "CREATE TABLE part (id INTEGER PRIMARY KEY, label TEXT, stock INTEGER NOT NULL DEFAULT 10 CHECK (stock >= 0));"
                 "INSERT INTO part VALUES (1, 'bolt', 7)")
script = sqldiff.diff('first.db', 'second.db')
run('first.db', script)
again = sqldiff.diff('first.db', 'second.db')
first, second = inserted('first.db'), inserted('second.db')
print('sqlite3-sqldiff %s, read back by SQLite %s' % (importlib.metadata.version('sqlite3-sqldiff'), sqlite3.sqlite_version))
print('script: %r; second run: %r' % (script, again))
print('stock of a new row: %r after the script, %r in the database it was made for' % (first, second))
assert script == 'ALTER TABLE part ADD COLUMN stock;\nUPDATE part SET stock=7 WHERE id=1;\n', script
assert again == '', repr(again)
assert (first, second) == ((None, 'null'), (10, 'integer')), (first, second)
P
venv/bin/python diff.py
