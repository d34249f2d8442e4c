#!/bin/sh
# An index may compare its column by a collation of its own, and a UNIQUE index then keeps what that collation calls equal out
# (https://sqlite.org/lang_createindex.html#collations). Alembic's batch mode makes a table anew with the indexes that SQLAlchemy reads from
# the file (https://alembic.sqlalchemy.org/en/latest/batch.html). SQLAlchemy 2.1.9 reads the names of the columns and neither the collation
# of the index nor that of a column. A change of another column brings the index back under its name, unique still, and without NOCASE.
# There is no warning. One address is registered twice from then on, in two spellings. The list of the indexes of a table is thus no proof
# after a migration, because the text of each has to be compared.
# One would expect: the second spelling is refused after the migration too, or a warning names the index.
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

def migrated(column, index):
    with warnings.catch_warnings(record=True) as told, sqlalchemy.create_engine('sqlite://').connect() as connection:
        warnings.simplefilter('always')
        run = connection.exec_driver_sql
        run('CREATE TABLE account (id INTEGER PRIMARY KEY, mail TEXT%s NOT NULL, fee INTEGER)' % column)
        run('CREATE UNIQUE INDEX one_mail ON account (mail%s)' % index)
        run("INSERT INTO account (mail) VALUES ('ada@example.org')")
        def second():
            try:
                run("INSERT INTO account (mail) VALUES ('Ada@example.org')")
                return 'accepted'
            except sqlalchemy.exc.IntegrityError:
                return 'refused'
        before = second()
        with Operations(MigrationContext.configure(connection)).batch_alter_table('account') as batch:
            batch.alter_column('fee', type_=sqlalchemy.Float())
        made = run("SELECT sql FROM sqlite_master WHERE name = 'one_mail'").scalar_one()
        return before, second(), made, [str(warning.message) for warning in told]

print('Alembic %s, SQLAlchemy %s, SQLite %s' % (alembic.__version__, sqlalchemy.__version__, sqlite3.sqlite_version))
for place, column, index in ('index', '', ' COLLATE NOCASE'), ('column', ' COLLATE NOCASE', ''):
    answer = migrated(column, index)
    print('NOCASE in the %s: second spelling %s before, %s after fee became a float; %s; warnings: %s' % (place, *answer))
    assert answer == ('refused', 'accepted', 'CREATE UNIQUE INDEX one_mail ON account (mail)', []), answer
P
venv/bin/python migrate.py
