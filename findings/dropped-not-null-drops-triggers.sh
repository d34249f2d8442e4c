#!/bin/sh
# Peewee has migrations for SQLite in playhouse.migrate (https://docs.peewee-orm.com/en/latest/peewee/playhouse.html#migrate). Version
# 4.5.3 renames a column by ALTER TABLE and keeps the triggers of the table. It makes the table anew to drop NOT NULL, to set a default or
# to add a column that is NOT NULL. The remake puts the index back and not the trigger. A log that a trigger writes ends at that migration
# without a word. A remake must run all rows of sqlite_master again that belong to the table, because DROP TABLE takes triggers as well as
# indexes.
# One would expect: indexes and triggers are both put back.
# Takes Peewee 4.5.3 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install peewee==4.5.3
cat > migrate.py <<'P'
import peewee
from playhouse.migrate import SqliteMigrator, migrate

def migrated(operation):
    database = peewee.SqliteDatabase(':memory:')
    run = database.execute_sql
    run('CREATE TABLE stock (id INTEGER PRIMARY KEY, part TEXT NOT NULL, shelf TEXT, amount INTEGER NOT NULL)')
    run('CREATE TABLE log (stock INTEGER, amount INTEGER)')
    run('CREATE UNIQUE INDEX by_part ON stock (part) WHERE amount > 0')
    run('CREATE TRIGGER logged AFTER UPDATE ON stock BEGIN INSERT INTO log VALUES (new.id, new.amount); END')
    run("INSERT INTO stock VALUES (1, 'bolt', 'B', 7)")
    migrate(operation(SqliteMigrator(database)))
    run('DELETE FROM log')
    run('UPDATE stock SET amount = 6')
    kept = [name for name, in run("SELECT name FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name")]
    return kept, run('SELECT count(*) FROM log').fetchone()[0]

operations = {'rename_column': lambda by: by.rename_column('stock', 'shelf', 'place'),
              'drop_not_null': lambda by: by.drop_not_null('stock', 'part'),
              'add_column_default': lambda by: by.add_column_default('stock', 'shelf', 'A'),
              'add_column': lambda by: by.add_column('stock', 'unit', peewee.TextField(default='kg'))}
print('Peewee %s, SQLite %s' % (peewee.__version__, peewee.sqlite3.sqlite_version))
for name, operation in operations.items():
    kept, logged = migrated(operation)
    print('%s: kept %s; changes logged: %d' % (name, kept, logged))
    assert (kept, logged) == ((['by_part', 'logged'], 1) if name == 'rename_column' else (['by_part'], 0)), (name, kept, logged)
P
venv/bin/python migrate.py
