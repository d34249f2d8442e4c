#!/bin/sh
# SQLite cannot change the type of a column, so that Alembic's batch mode makes the table anew and puts its indexes back as SQLAlchemy
# reads them from the file (https://alembic.sqlalchemy.org/en/latest/batch.html). SQLAlchemy 2.1.9 reads the WHERE of a partial index up
# to the first end of line. A unique index whose WHERE goes on in the next line comes back with its first half: here it watches the paid
# bookings and no more the held ones. The migration succeeds, and a seat is held twice. The same index written in one line survives. A
# schema change of another column thus has to be followed by a look at every partial index.
# Guess before the run: the index comes back whole, or the migration fails.
# Takes Alembic 1.20.1 and SQLAlchemy 2.1.9 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install alembic==1.20.1 sqlalchemy==2.1.9
cat > migrate.py <<'P'
import alembic, sqlalchemy, sqlite3
from alembic.migration import MigrationContext
from alembic.operations import Operations

def migrated(where):
    with sqlalchemy.create_engine('sqlite://').begin() as connection:
        run = connection.exec_driver_sql
        run('CREATE TABLE booking (id INTEGER PRIMARY KEY, seat VARCHAR(4) NOT NULL, state VARCHAR(9) NOT NULL, fee INTEGER)')
        run('CREATE UNIQUE INDEX one_per_seat ON booking (seat) WHERE ' + where)
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table('booking') as batch:
            batch.alter_column('fee', type_=sqlalchemy.Float())
        index = run("SELECT sql FROM sqlite_master WHERE name = 'one_per_seat'").scalar_one()
        try:
            for _ in range(2):
                run("INSERT INTO booking (seat, state) VALUES ('12A', 'held')")
            return index, 'twice'
        except sqlalchemy.exc.IntegrityError:
            return index, 'once'

print('Alembic %s, SQLAlchemy %s, SQLite %s' % (alembic.__version__, sqlalchemy.__version__, sqlite3.sqlite_version))
line = migrated("state = 'paid' OR state = 'held'")
lines = migrated("state = 'paid'\n  OR state = 'held'")
print('WHERE in one line: %s: held %s' % line)
print('WHERE in two lines: %s: held %s' % lines)
start = 'CREATE UNIQUE INDEX one_per_seat ON booking (seat) WHERE '
assert line == (start + "state = 'paid' OR state = 'held'", 'once'), line
assert lines == (start + "state = 'paid'", 'twice'), lines
P
venv/bin/python migrate.py
