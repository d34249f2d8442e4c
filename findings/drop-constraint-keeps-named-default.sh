#!/bin/sh
# A name may stand in front of each clause of a column (https://sqlite.org/syntax/column-constraint.html), a DEFAULT included, as in the
# schemas that come from SQL Server, where a default is dropped by its name. Since 3.53 SQLite has DROP CONSTRAINT
# (https://sqlite.org/lang_altertable.html). SQLite 3.54.1 takes a CHECK, a NOT NULL or a foreign key off by its name, and refuses a UNIQUE.
# For a DEFAULT, a COLLATE and a generated column it succeeds, removes the name alone, and leaves the clause where it is. New rows get the old
# default, NOCASE still takes two spellings for one name, and the column is computed as before. The same statement a second time is an
# error, since no such name is left, so that the migration looks as if it had done its work. After DROP CONSTRAINT the text of the
# table has to be read.
# One would expect: what has the name goes, or the statement is refused, as for UNIQUE.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > drop.py <<'P'
import apsw
file = apsw.Connection(':memory:')
file.execute('CREATE TABLE town (id INTEGER PRIMARY KEY)')
insert = "INSERT INTO member (name) VALUES ('Ada') RETURNING level, name = 'ADA', initial"

def drop():
    try:
        file.execute('ALTER TABLE member DROP CONSTRAINT rule')
        return 'dropped'
    except apsw.SQLError as error:
        return str(error)

columns = ['name TEXT', 'level INTEGER', 'initial TEXT', 'town INTEGER']
clauses = [('DEFAULT 3', 1, (3, 0, None), True), ('COLLATE NOCASE', 0, (None, 1, None), True),
           ('GENERATED ALWAYS AS (upper(substr(name, 1, 1)))', 2, (None, 0, 'A'), True), ('CHECK (level < 9)', 1, (None, 0, None), False),
           ('NOT NULL', 1, (None, 0, None), False), ('REFERENCES town', 3, (None, 0, None), False)]
print('SQLite %s' % apsw.sqlite_lib_version())
for clause, place, row, stays in clauses:
    parts = list(columns)
    parts[place] += ' CONSTRAINT rule ' + clause
    file.execute('CREATE TABLE member (%s)' % ', '.join(parts))
    first, second, got = drop(), drop(), file.execute(insert).get
    text = file.execute("SELECT sql FROM sqlite_schema WHERE name = 'member'").get
    print('%s: %s; again: %s; a new row: %s; %s' % (clause, first, second, got, 'still there' if clause in text else 'gone'))
    assert (first, second) == ('dropped', 'no such constraint: rule'), (first, second)
    assert got == row and (clause in text) == stays and 'rule' not in text, (got, text)
    file.execute('DROP TABLE member')
file.execute('CREATE TABLE member (name TEXT CONSTRAINT rule UNIQUE)')
refused = drop()
print('UNIQUE: %s' % refused)
assert refused == 'constraint may not be dropped: rule', refused
P
venv/bin/python drop.py
