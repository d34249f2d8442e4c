#!/bin/sh
# SQLite can take NOT NULL off a column since 3.53 (https://sqlite.org/lang_altertable.html), and a foreign key beside the column may say
# whether it is deferred (https://sqlite.org/foreignkeys.html#fk_deferred). SQLite 3.54.1 looks for the first NOT of the column. In NOT
# DEFERRABLE NOT NULL it removes NOT DEFERRABLE, and the statement succeeds. The column refuses NULL as before, until the same statement
# runs once more. Where DEFERRABLE INITIALLY DEFERRED stands behind NOT NULL, both go, and a child that comes before its parent is an
# error from then on. All is well where NOT NULL stands in front of the key. A migration has to read the column back after such a
# statement, because success is no proof.
# One would expect: NOT NULL alone goes, in each order.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > drop.py <<'P'
import apsw

def taken(database, *statements):
    try:
        for sql in statements:
            database.execute(sql)
        return 'accepted'
    except apsw.ConstraintError:
        if not database.get_autocommit():
            database.execute('ROLLBACK')
        return 'refused'

def seen(column, times):
    database = apsw.Connection(':memory:')
    database.execute('PRAGMA foreign_keys = ON; CREATE TABLE owner (id INTEGER PRIMARY KEY)')
    database.execute('CREATE TABLE pet (id INTEGER PRIMARY KEY, %s)' % column)
    for _ in range(times):
        database.execute('ALTER TABLE pet ALTER COLUMN owner DROP NOT NULL')
    declared = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'pet'").fetchall()[0][0].split(', ', 1)[1][:-1]
    return (declared, taken(database, 'INSERT INTO pet (owner) VALUES (NULL)'),
            taken(database, 'BEGIN', 'INSERT INTO pet (owner) VALUES (9)', 'INSERT INTO owner VALUES (9)', 'COMMIT'))

print('SQLite ' + apsw.sqlite_lib_version())
expected = {
    'owner INT NOT NULL REFERENCES owner (id) NOT DEFERRABLE':
        ('owner INT REFERENCES owner (id) NOT DEFERRABLE', 'accepted', 'refused'),
    'owner INT REFERENCES owner (id) NOT DEFERRABLE NOT NULL':
        ('owner INT REFERENCES owner (id) NOT NULL', 'refused', 'refused'),
    'owner INT NOT NULL REFERENCES owner (id) DEFERRABLE INITIALLY DEFERRED':
        ('owner INT REFERENCES owner (id) DEFERRABLE INITIALLY DEFERRED', 'accepted', 'accepted'),
    'owner INT REFERENCES owner (id) NOT NULL DEFERRABLE INITIALLY DEFERRED':
        ('owner INT REFERENCES owner (id)', 'accepted', 'refused')}
for column, answer in expected.items():
    before, after = seen(column, 0), seen(column, 1)
    print('%s: NULL %s, a child before its parent %s' % before)
    print('  after DROP NOT NULL: %s: NULL %s, a child before its parent %s' % after)
    assert before == (column, 'refused', 'accepted' if 'INITIALLY DEFERRED' in column else 'refused'), before
    assert after == answer, after
twice = seen('owner INT REFERENCES owner (id) NOT DEFERRABLE NOT NULL', 2)
print('the second of them after the statement runs twice: %s: NULL %s' % twice[:2])
assert twice == ('owner INT REFERENCES owner (id)', 'accepted', 'refused'), twice
P
venv/bin/python drop.py
