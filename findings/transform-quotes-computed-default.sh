#!/bin/sh
# A DEFAULT may be an expression in brackets, which is computed for each new row (https://sqlite.org/lang_createtable.html#dfltval).
# sqlite-utils offers transform() for what ALTER TABLE cannot do
# (https://sqlite-utils.datasette.io/en/stable/python-api.html#transforming-a-table). Version 4.2.1 keeps such a default where its text
# ends with a bracket, as that of a function does. It makes a quoted text of each other one, also in columns that the call does not name.
# DEFAULT (60 * 60) gives the text 60 * 60 instead of 3600 to a column of integers, and rows that are inserted later hold it. Old rows
# and the copy look right. A migration has to be tried with a new row that leaves each column out.
# One would expect: a new row has the same values before and after.
# Takes sqlite-utils 4.2.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlite-utils==4.2.1
cat > transform.py <<'P'
import importlib.metadata, sqlite3, sqlite_utils

database = sqlite_utils.Database(memory=True)
database.execute("CREATE TABLE session (id INTEGER PRIMARY KEY, seconds INTEGER DEFAULT (60 * 60), began INTEGER DEFAULT (abs(-5)),"
                 " level INTEGER DEFAULT 2, name TEXT DEFAULT ('guest' || '-' || 1), memo TEXT)")

def added():
    database.execute('INSERT INTO session (id) VALUES (NULL)')
    return database.execute('SELECT seconds, began, level, name FROM session ORDER BY id DESC LIMIT 1').fetchone()

before = added()
database['session'].transform(rename={'memo': 'note'})
after = added()
old = database.execute('SELECT seconds, began, level, name FROM session WHERE id = 1').fetchone()
print('sqlite-utils %s, SQLite %s' % (importlib.metadata.version('sqlite-utils'), sqlite3.sqlite_version))
print('a new row before: %s; after memo became note: %s; the old row: %s' % (before, after, old))
print('declared: ' + ' '.join(database['session'].schema.split()))
assert before == old == (3600, 5, 2, 'guest-1'), (before, old)
assert after == ('60 * 60', 5, 2, "'guest' || '-' || 1"), after
P
venv/bin/python transform.py
