#!/bin/sh
# REAL values that are whole are stored in the table as integers, and read as reals (https://sqlite.org/datatype3.html#storage_classes_and_datatypes).
# A VIRTUAL column without a type that is nothing but a REAL column reads as a real too. In SQLite 3.50.4 an index over it holds a real
# where INSERT made the entry, and the integer of the table where REINDEX or CREATE INDEX did. A query that the index answers alone then
# divides as integers, and the same query over the table does not. integrity_check finds nothing. A type of its own for the column, such
# as REAL, keeps its values reals in both. SQLite 3.40.1 does not do this, 3.46.1 and 3.53.4 do.
# Guess before the run: an index and its table agree on the value of a column, whoever wrote the entry.
# Takes SQLite 3.50.4 out of apsw 3.50.4.0 (PyPI). Needs python3 with pip and venv.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install -q apsw==3.50.4.0
cat > halves.py <<'P'
import apsw

def halves(database, source):
    return [row[0] for row in database.execute('SELECT total / 2 FROM bill %s WHERE total > 0' % source)]

seen = {}
for type in '', 'REAL':
    database = apsw.Connection('')
    database.execute('CREATE TABLE bill (net REAL, total %s AS (net)); CREATE INDEX by_total ON bill (total);'
                     'INSERT INTO bill VALUES (7)' % type)
    before = halves(database, 'INDEXED BY by_total')
    database.execute('REINDEX')
    after = halves(database, 'INDEXED BY by_total'), halves(database, 'NOT INDEXED')
    checked = [row[0] for row in database.execute('PRAGMA integrity_check')]
    seen[type] = before, *after, checked
    print('SQLite %s, total %s AS (net): half of 7 by the index %s, after REINDEX %s, by the table %s; integrity_check: %s'
          % (apsw.sqlite_lib_version(), type or 'without a type', *seen[type]))
assert seen[''] == ([3.5], [3], [3.5], ['ok']), seen
assert seen['REAL'] == ([3.5], [3.5], [3.5], ['ok']), seen
P
venv/bin/python halves.py
