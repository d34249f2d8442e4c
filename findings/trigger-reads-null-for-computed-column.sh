#!/bin/sh
# A trigger reads the row that an UPDATE is about to write as NEW (https://sqlite.org/lang_createtrigger.html), and a generated column is
# computed from the other columns of its row (https://sqlite.org/gencol.html). SQLite 3.54.1 gives a BEFORE UPDATE trigger the columns that
# the UPDATE sets and those that the trigger names. The rest is NULL while the generated column is computed for it, VIRTUAL or STORED. After a
# new price, NEW.total is NULL where total is price * number. It is right if the trigger names NEW.number too, if the UPDATE sets both, in an
# AFTER trigger, and in the row itself. Where total is the 33rd column or a later one, all columns are given, so that DROP COLUMN of another
# column can take its value from the trigger. Values are kept by an AFTER trigger as soon as a column of the table is computed.
# Guess before the run: NEW.total is price * number in every trigger.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > trigger.py <<'P'
import apsw

cases = [
    # the trigger, what it keeps beside NEW.total, the new values, the columns in front, what it keeps in all
    ('BEFORE', 'NULL', 'price = 7', 0, (None, None)), ('BEFORE', 'NEW.number', 'price = 7', 0, (21, 3)),
    ('BEFORE', 'NULL', 'price = 7, number = 3', 0, (21, None)), ('AFTER', 'NULL', 'price = 7', 0, (21, None)),
    ('BEFORE', 'NULL', 'price = 7', 29, (21, None))]

def kept(database, change):
    database.execute('DELETE FROM history; UPDATE item SET ' + change)
    return [database.execute('SELECT ' + columns).fetchall()[0] for columns in ('* FROM history', 'price, number, total FROM item')]

print('SQLite ' + apsw.sqlite_lib_version())
for kind in 'VIRTUAL', 'STORED':
    for moment, beside, change, front, expected in cases:
        database = apsw.Connection(':memory:')
        notes = ' '.join('note%d TEXT,' % place for place in range(front))
        database.execute('CREATE TABLE item (%s id INTEGER PRIMARY KEY, price INT, number INT, total INT AS (price * number) %s);'
                         'CREATE TABLE history (total INT, number INT); INSERT INTO item (price, number) VALUES (5, 3);'
                         'CREATE TRIGGER keep %s UPDATE ON item BEGIN INSERT INTO history VALUES (NEW.total, %s); END'
                         % (notes, kind, moment, beside))
        seen, row = kept(database, change)
        print('%s, total is column %d; %s UPDATE keeps total, %s; SET %s: it keeps %s; the row is %s'
              % (kind, front + 4, moment, beside, change, seen, row))
        assert seen == expected and row == (7, 3, 21), (seen, row)
        if front:
            database.execute('ALTER TABLE item DROP COLUMN note0')
            seen, row = kept(database, 'price = 8')
            print('  after DROP COLUMN note0; SET price = 8: it keeps %s; the row is %s' % (seen, row))
            assert seen == (None, None) and row == (8, 3, 24), (seen, row)
P
venv/bin/python trigger.py
