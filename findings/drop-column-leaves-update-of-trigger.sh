#!/bin/sh
# DROP COLUMN is refused where the column appears in a trigger (https://sqlite.org/lang_altertable.html#altertabdropcol). SQLite 3.54.1
# keeps to that for the body and the WHEN of a trigger, and not for the columns behind UPDATE OF. There the column goes, the trigger stays
# with the name of a column that is gone, and nothing fires it any more. integrity_check finds nothing. A column of that name that is added
# years later wakes it up again. The check before a DROP COLUMN must therefore read the UPDATE OF of each trigger, because the engine
# does not.
# Guess before the run: all three are refused.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > drop.py <<'P'
import apsw

def dropped(head, body='NULL'):
    database = apsw.Connection(':memory:')
    database.execute('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INT); CREATE TABLE log (item INT, value INT)')
    database.execute('CREATE TRIGGER watch AFTER %s BEGIN INSERT INTO log VALUES (new.id, %s); END' % (head, body))
    database.execute("INSERT INTO item VALUES (1, 'cup', 5)")
    try:
        database.execute('ALTER TABLE item DROP COLUMN price')
        return database, 'done'
    except apsw.SQLError as error:
        return database, str(error)

body = dropped('UPDATE ON item', 'new.price')[1]
when = dropped('UPDATE ON item WHEN new.price > 3')[1]
database, listed = dropped('UPDATE OF price ON item')
count = lambda: database.execute('SELECT count(*) FROM log').fetchall()[0][0]
check = database.execute('PRAGMA integrity_check').fetchall()
database.execute("UPDATE item SET name = 'mug'")
asleep = count()
database.execute('ALTER TABLE item ADD COLUMN price INT; UPDATE item SET price = 6')
print('SQLite ' + apsw.sqlite_lib_version())
print('price in the body: %s' % body)
print('price in WHEN: %s' % when)
print('price in UPDATE OF: %s; integrity_check: %s; rows logged: %d, and %d once a new price is written' % (listed, check[0][0], asleep, count()))
assert all('error in trigger watch after drop column' in word for word in (body, when)), (body, when)
assert listed == 'done' and check == [('ok',)] and (asleep, count()) == (0, 1), (listed, check, asleep, count())
P
venv/bin/python drop.py
