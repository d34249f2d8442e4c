#!/bin/sh
# PRAGMA defer_foreign_keys puts the check of all foreign keys off until COMMIT (https://sqlite.org/pragma.html#pragma_defer_foreign_keys).
# A migration that makes a parent table anew within a transaction seems to be the use for it: copy the rows, drop the old table, rename the
# new one. SQLite 3.46.1 and 3.54.1 refuse the COMMIT then, although every child has its parent and foreign_key_check finds nothing.
# A rename does not settle the violations that DROP TABLE has counted. The same migration passes where the rows wait in another table, and
# go back into a table that is made under the old name. A tool that defers the keys has to choose the second order.
# One would expect: both orders pass.
# Takes SQLite 3.46.1 out of apsw 3.46.1.0 and 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > remake.py <<'P'
import apsw, sys

schema = '''PRAGMA foreign_keys = ON;
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE book (id INTEGER PRIMARY KEY, author REFERENCES author (id));
    INSERT INTO author VALUES (1, 'Ada'), (2, 'Ben'); INSERT INTO book VALUES (1, 1), (2, 2), (3, 2);
    BEGIN; PRAGMA defer_foreign_keys = ON;'''
orders = {'copy, drop, rename': '''CREATE TABLE changed (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO changed SELECT * FROM author; DROP TABLE author; ALTER TABLE changed RENAME TO author''',
    'put aside, drop, create, put back': '''CREATE TEMP TABLE aside AS SELECT * FROM author; DROP TABLE author;
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO author SELECT * FROM aside'''}
seen = []
for name, statements in orders.items():
    database = apsw.Connection(':memory:')
    database.execute(schema + statements)
    without = database.execute('SELECT count(*) FROM book WHERE author NOT IN (SELECT id FROM author)').fetchall()[0][0]
    parents = [row[2] for row in database.execute('PRAGMA foreign_key_list(book)')]
    broken = database.execute('PRAGMA foreign_key_check').fetchall()
    try:
        database.execute('COMMIT')
        answer = 'done'
    except apsw.ConstraintError as error:
        answer = str(error)
    print('SQLite %s: %s: books without author: %d; foreign_key_check: %s; COMMIT: %s'
          % (apsw.sqlite_lib_version(), name, without, broken, answer))
    assert (without, parents, broken) == (0, ['author'], []), (without, parents, broken)
    seen.append(answer)
assert apsw.sqlite_lib_version() == sys.argv[1], apsw.sqlite_lib_version()
assert 'FOREIGN KEY constraint failed' in seen[0] and seen[1] == 'done', seen
P
for version in 3.46.1 3.54.1; do
  python3 -m venv "venv$version"
  "venv$version/bin/pip" -q install "apsw==$version.0"
  "venv$version/bin/python" remake.py "$version"
done
