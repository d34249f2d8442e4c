#!/bin/sh
# libSQL adds ALTER COLUMN to SQLite and says that it touches only rows which are written later
# (https://github.com/tursodatabase/libsql/blob/main/libsql-sqlite3/doc/libsql_extensions.md). A row that is older than an ADD COLUMN
# holds nothing for the column, and every reader gives it the DEFAULT of the moment. libSQL 0.1.11 replaces the DEFAULT in the text of the
# table and rewrites no row. Rows older than the column change their value with it, and rows written since keep theirs. Both groups read
# alike before. SQLite reads the same from the file. An edit of a DEFAULT in place is thus safe only once each row has been written again.
# Takes libSQL out of libsql 0.1.11 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install --only-binary=:all: libsql==0.1.11
cat > alter.py <<'P'
import importlib.metadata, libsql, sqlite3

query = 'SELECT id, plan FROM member ORDER BY id'
database = libsql.connect('club.db')
for sql in ['CREATE TABLE member (id INTEGER PRIMARY KEY)', 'INSERT INTO member (id) VALUES (1)',
            "ALTER TABLE member ADD COLUMN plan TEXT DEFAULT 'basic'", 'INSERT INTO member (id) VALUES (2)']:
    database.execute(sql)
database.commit()
before = database.execute(query).fetchall()
database.execute("ALTER TABLE member ALTER COLUMN plan TO plan TEXT DEFAULT 'full'")
database.execute('INSERT INTO member (id) VALUES (3)')
database.commit()
after, engine = database.execute(query).fetchall(), database.execute('SELECT sqlite_version()').fetchone()[0]
database.close()
by_sqlite = sqlite3.connect('club.db').execute(query).fetchall()
print('libsql %s (SQLite %s inside), SQLite %s' % (importlib.metadata.version('libsql'), engine, sqlite3.sqlite_version))
print('before: %s' % before)
print('after, row 3 is new: %s; read by SQLite: %s' % (after, by_sqlite))
assert before == [(1, 'basic'), (2, 'basic')], before
assert after == by_sqlite == [(1, 'full'), (2, 'basic'), (3, 'full')], (after, by_sqlite)
P
venv/bin/python alter.py
