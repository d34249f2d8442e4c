#!/bin/sh
# Turso reads and writes the files of SQLite, and its manual says that RENAME TO also changes the views that name the table
# (https://docs.turso.tech/sql-reference/statements/alter-table). Turso 0.8.3 changes the triggers and the foreign keys, and leaves the
# views as they were. The rename succeeds, and each such view asks for a table that is gone. SQLite 3.54.1, given the same statements,
# changes the view too. In the file that Turso left, SQLite then refuses to rename a column of a table that the view never names. A
# migration that was tried on one of the two engines is thus not tried for the other.
# Takes Turso out of pyturso 0.8.3 and SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install pyturso==0.8.3 apsw==3.54.1.0
cat > rename.py <<'P'
import apsw, importlib.metadata, turso

statements = ['CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT)', 'CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)',
              'CREATE TABLE bill (customer INTEGER REFERENCES customer (id))', 'CREATE VIEW names AS SELECT name FROM customer',
              'CREATE TRIGGER renamed AFTER UPDATE ON note BEGIN DELETE FROM customer WHERE id = new.id; END',
              "INSERT INTO customer VALUES (1, 'Ada')", 'ALTER TABLE customer RENAME TO client']

def tried(run, sql):
    try:
        return run(sql).fetchall()
    except (apsw.Error, turso.Error) as error:
        return str(error)

def seen(run):
    left = 'SELECT name FROM sqlite_schema WHERE sql LIKE \'%customer (%\' OR sql LIKE \'%FROM customer%\''
    return [row[0] for row in run(left).fetchall()], tried(run, 'SELECT * FROM names')

by_turso = turso.connect('turso.db')
by_sqlite = apsw.Connection('sqlite.db')
for sql in statements:
    by_turso.execute(sql)
    by_sqlite.execute(sql)
answers = seen(by_turso.execute), seen(by_sqlite.execute)
by_turso.commit()
by_turso.close()
change = 'ALTER TABLE note RENAME COLUMN body TO words'
later = tried(apsw.Connection('turso.db').execute, change), tried(by_sqlite.execute, change)
names = 'Turso ' + importlib.metadata.version('pyturso'), 'SQLite ' + apsw.sqlite_lib_version()
for name, (left, view), word in zip(names, answers, later):
    print('%s: still naming the old table: %s; the view: %s; SQLite then changes note: %s' % (name, left, view, word or 'done'))
assert answers[0][0] == ['names'] and 'no such table' in answers[0][1], answers[0]
assert answers[1] == ([], [('Ada',)]), answers[1]
assert 'error in view names' in later[0] and later[1] == [], later
P
venv/bin/python rename.py
