#!/bin/sh
# Peewee has migrations for SQLite in playhouse.migrate (https://docs.peewee-orm.com/en/latest/peewee/playhouse.html#migrate). It makes
# the table anew for some of them, out of the text that the file keeps for it. Peewee 4.5.3 first turns each run of spaces and line ends
# in that text into one space, also between quotes. A default that has two spaces has one from then on, and new rows no longer match the
# old ones. A CHECK against two spaces in a name forbids every space, and the row of Ada Byron is refused after a migration of another
# column. Peewee gives no message. The migration itself fails where an old row has a space in its name. Space between words of SQL means
# nothing, and space within a text does, so that only a tokenizer may take it away.
# Guess before the run: the texts stay, and only the layout changes.
# Takes Peewee 4.5.3 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install peewee==4.5.3
cat > squeeze.py <<'P'
import peewee, sqlite3
from playhouse.migrate import SqliteMigrator, migrate

def migrated(path, name):
    database = peewee.SqliteDatabase(path)
    run = lambda sql: database.execute_sql(sql).fetchall()
    run("""CREATE TABLE guest (id INTEGER PRIMARY KEY, age INTEGER NOT NULL,
        name TEXT CHECK (name NOT LIKE '%  %'), shelf TEXT DEFAULT 'B  12')""")
    run("INSERT INTO guest (id, age, name) VALUES (1, 36, '%s')" % name)
    seen = []
    for number in 2, 3:
        try:
            run("INSERT INTO guest (id, age, name) VALUES (%d, 36, 'Ada Byron')" % number)
            seen.append('taken')
        except peewee.IntegrityError as error:
            seen.append(str(error).split(':')[0])
            run('INSERT INTO guest (id, age) VALUES (%d, 36)' % number)
        seen += run('SELECT shelf FROM guest WHERE id = %d' % number)[0]
        if number == 2:
            run('DELETE FROM guest WHERE id = 2')
            try:
                migrate(SqliteMigrator(database).drop_not_null('guest', 'age'))
            except peewee.IntegrityError as error:
                return 'migration: ' + str(error).split(':')[0]
    return seen

print('Peewee %s, SQLite %s' % (peewee.__version__, sqlite3.sqlite_version))
single, double = migrated('single.db', 'Plato'), migrated('double.db', 'Mary Shelley')
print('Ada Byron, and the shelf of a new row: before: %s, %r; after: %s, %r' % tuple(single))
print('with Mary Shelley in the table: ' + double)
assert single == ['taken', 'B  12', 'CHECK constraint failed', 'B 12'], single
assert double == 'migration: CHECK constraint failed', double
P
venv/bin/python squeeze.py
