#!/bin/sh
# A number that goes into a TEXT column becomes a text first (https://sqlite.org/datatype3.html#type_affinity), so that 1.10 is stored as 1.1.
# ADD COLUMN writes no row, and the rows that exist read the DEFAULT (https://sqlite.org/lang_altertable.html#altertabaddcol). SQLite 3.54.1
# gives them DEFAULT 1.10 as it is written: the text 1.10. A row that is inserted later gets 1.1. One default thus has two values in one
# column, and a search for 1.10 finds the new row alone. A CHECK for '1.10' lets the column be added, and no row be inserted with
# its default. The same column in CREATE TABLE gives 1.1 to all rows. 1e3 and a whole number of 20 digits differ in the same way. A copy
# keeps both texts, so that whether a table was altered or made anew decides on its values. A default for a text has to be in quotes.
# Guess before the run: old and new rows have the same text.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > default.py <<'P'
import apsw

def column(declared, added=True):
    database = apsw.Connection(':memory:')
    database.execute('CREATE TABLE part (id INTEGER PRIMARY KEY%s)' % ('' if added else ', version ' + declared))
    database.execute('INSERT INTO part (id) VALUES (1)')
    if added:
        database.execute('ALTER TABLE part ADD COLUMN version ' + declared)
    return database

def values(database):
    database.execute('INSERT INTO part (id) VALUES (2)')
    return [text for text, in database.execute("SELECT typeof(version) || ' ' || version FROM part ORDER BY id")]

print('SQLite ' + apsw.sqlite_lib_version())
expected = {'1.10': ('1.10', '1.1'), '1e3': ('1e3', '1000.0'), '12345678901234567890': ('12345678901234567890', '1.2345678901234567e+19'),
            "'1.10'": ('1.10', '1.10'), '110': ('110', '110')}
for written, (old, new) in expected.items():
    altered, made = (values(column('TEXT DEFAULT ' + written, added)) for added in (True, False))
    print('DEFAULT %s: ADD COLUMN: %s in the old row, %s in the new; CREATE TABLE: %s, %s' % (written, *altered, *made))
    assert altered == ['text ' + old, 'text ' + new] and made == ['text ' + new] * 2, (altered, made)
database = column('TEXT DEFAULT 1.10')
values(database)
found = database.execute('SELECT id FROM part WHERE version = 1.10').fetchall()
database.execute('CREATE TABLE again (id INTEGER PRIMARY KEY, version TEXT DEFAULT 1.10); INSERT INTO again SELECT * FROM part')
copied = database.execute('SELECT * FROM again ORDER BY id').fetchall()
print('rows where version = 1.10: %s; copied to a new table: %s' % (found, copied))
assert found == [(2,)] and copied == [(1, '1.10'), (2, '1.1')], (found, copied)
database = column("TEXT DEFAULT 1.10 CHECK (version = '1.10')")
try:
    answer = values(database)
except apsw.ConstraintError as error:
    answer = str(error)
print('with CHECK: the column is added; a new row: ' + answer)
assert answer == "CHECK constraint failed: version = '1.10'", answer
P
venv/bin/python default.py
