#!/bin/sh
# A column that is declared DECIMAL has the affinity NUMERIC in SQLite, which keeps an integer of 64 bits exactly
# (https://sqlite.org/datatype3.html#type_affinity). sqlite-utils offers transform() for what ALTER TABLE cannot do, and writes the new
# table in the few types it knows (https://sqlite-utils.datasette.io/en/stable/python-api.html#transforming-a-table). Version 4.2.1
# writes REAL for DECIMAL and for DATE, also in columns that the call does not name. The copy then rounds integers beyond
# 2^53: an account number ends in 2 where it ended in 3. Nothing is said. A tool that copies a table must leave the declared types of
# all other columns as they are written, because a type decides on values.
# Guess before the run: columns that are not named keep type and values.
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
database.execute('CREATE TABLE account (id INTEGER PRIMARY KEY, number DECIMAL(19, 0), opened DATE, memo TEXT)')
database.execute("INSERT INTO account VALUES (1, 9007199254740993, '2024-05-01', 'first')")

def seen():
    types = {name: kind for _, name, kind, *_ in database.execute('PRAGMA table_info(account)')}
    return types['number'], types['opened'], database.execute('SELECT number FROM account').fetchone()[0]

before = seen()
database['account'].transform(rename={'memo': 'note'})
after = seen()
print('sqlite-utils %s, SQLite %s' % (importlib.metadata.version('sqlite-utils'), sqlite3.sqlite_version))
print('before: number %s, opened %s, value %r' % before)
print('after memo became note: number %s, opened %s, value %r' % after)
assert before == ('DECIMAL(19, 0)', 'DATE', 9007199254740993) and isinstance(before[2], int), before
assert after == ('REAL', 'REAL', 9007199254740992.0) and isinstance(after[2], float), after
P
venv/bin/python transform.py
