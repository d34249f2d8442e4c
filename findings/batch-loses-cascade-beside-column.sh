#!/bin/sh
# A foreign key may stand beside its column or at the end of the table, and means the same (https://sqlite.org/foreignkeys.html). Alembic's
# batch mode makes a table anew with the keys that SQLAlchemy reads from the file. SQLAlchemy 2.1.9 finds both keys. It reads ON DELETE for
# the one at the end, and not for the one beside the column. A migration that changes another column thus turns ON DELETE CASCADE into NO
# ACTION, and says nothing. An owner whose pets went with it before can no longer be deleted. PRAGMA foreign_key_list tells the action for
# either spelling. A tool that reads keys should ask the pragma, because the text of a table has more than one form.
# One would expect: both keys keep their action.
# Takes Alembic 1.20.1 and SQLAlchemy 2.1.9 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install alembic==1.20.1 sqlalchemy==2.1.9
cat > migrate.py <<'P'
import alembic, sqlalchemy, sqlite3, warnings
from alembic.migration import MigrationContext
from alembic.operations import Operations

def migrated(key):
    with warnings.catch_warnings(record=True) as told, sqlalchemy.create_engine('sqlite://').connect() as connection:
        warnings.simplefilter('always')
        run = connection.exec_driver_sql
        run('PRAGMA foreign_keys = ON')
        run('CREATE TABLE owner (id INTEGER PRIMARY KEY)')
        run('CREATE TABLE pet (id INTEGER PRIMARY KEY, weight INTEGER, owner INTEGER%s REFERENCES owner (id) ON DELETE CASCADE)' % key)
        run('INSERT INTO owner VALUES (1), (2)')
        run('INSERT INTO pet VALUES (1, 3, 1), (2, 4, 2)')
        action = lambda: run('SELECT on_delete FROM pragma_foreign_key_list(\'pet\')').scalar_one()
        run('DELETE FROM owner WHERE id = 1')
        before = action(), run('SELECT count(*) FROM pet').scalar_one()
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table('pet') as batch:
            batch.alter_column('weight', type_=sqlalchemy.Float())
        try:
            run('DELETE FROM owner WHERE id = 2')
            after = 'deleted, pets left: %d' % run('SELECT count(*) FROM pet').scalar_one()
        except sqlalchemy.exc.IntegrityError as error:
            after = str(error.orig)
        return *before, action(), after, [str(warning.message) for warning in told]

print('Alembic %s, SQLAlchemy %s, SQLite %s' % (alembic.__version__, sqlalchemy.__version__, sqlite3.sqlite_version))
answers = [migrated(key) for key in ('', ', FOREIGN KEY (owner)')]
for place, answer in zip(('beside the column', 'at the end of the table'), answers):
    print('%s: %s, pets left: %d; after the migration: %s, owner 2: %s; warnings: %s' % (place, *answer))
assert answers[0] == ('CASCADE', 1, 'NO ACTION', 'FOREIGN KEY constraint failed', []), answers[0]
assert answers[1] == ('CASCADE', 1, 'CASCADE', 'deleted, pets left: 0', []), answers[1]
P
venv/bin/python migrate.py
