#!/bin/sh
# Pandas appends rows to a table by to_sql, and may be told to delete the old ones first and to keep the schema
# (https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_sql.html). Pandas 3.1.1 opens a transaction where it gets an engine of
# SQLAlchemy. When a row breaks a constraint it raises DatabaseError, and commits what came before that row. An append that failed
# has put its first rows in, so that the next attempt meets its own rows. With if_exists='delete_rows' the old rows are gone and a part of
# the new ones stands in their place. With method='multi' the table is empty. The same call on a connection of sqlite3, or within
# engine.begin(), leaves the table as it was. A constraint that is added to a schema makes such an import fail halfway for the first time.
# An import has to get a connection whose transaction it does not own.
# Guess before the run: the table is as it was after each error.
# Takes Pandas 3.1.1 and SQLAlchemy 2.1.9 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install pandas==3.1.1 sqlalchemy==2.1.9
cat > members.py <<'P'
import contextlib, os, pandas, sqlite3, sqlalchemy

def engine():
    return contextlib.nullcontext(sqlalchemy.create_engine('sqlite:///members.db'))

def begin():
    return sqlalchemy.create_engine('sqlite:///members.db').begin()

def plain():
    return contextlib.closing(sqlite3.connect('members.db'))

def names(statement=''):
    with plain() as file:
        file.executescript(statement)
        return ' '.join(row[0] for row in file.execute('SELECT name FROM member ORDER BY rowid'))

rows = pandas.DataFrame({'name': ['Cleo', 'Dina', 'Dina', 'Emil']})

def failed(connect, **options):
    if os.path.exists('members.db'):
        os.remove('members.db')
    names("CREATE TABLE member (name TEXT NOT NULL UNIQUE); INSERT INTO member VALUES ('Ada'), ('Ben')")
    try:
        with connect() as target:
            rows.to_sql('member', target, index=False, **options)
    except (pandas.errors.DatabaseError, sqlite3.IntegrityError):
        return names()
    raise AssertionError('no error')

print('Pandas %s, SQLAlchemy %s; the table after a failed import:' % (pandas.__version__, sqlalchemy.__version__))
for connect, expected in (engine, ('Ada Ben Cleo Dina', 'Cleo Dina', '')), (begin, ('Ada Ben',) * 3), (plain, ('Ada Ben',) * 3):
    got = (failed(connect, if_exists='append'), failed(connect, if_exists='delete_rows'),
           failed(connect, if_exists='delete_rows', method='multi'))
    print('%s: append %r; delete_rows %r; delete_rows with multi %r' % ((connect.__name__,) + got))
    assert got == expected, got
P
venv/bin/python members.py
