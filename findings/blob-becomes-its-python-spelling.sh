#!/bin/sh
# sqlite-diffable writes a database to text files that a version control system can compare, and loads them into a new database
# (its README). JSON has no type for bytes. Version 0.6 writes a BLOB as the text that Python shows for it,
# and load puts that text into the column. Two bytes become the eight characters of b'\xff1' and nothing says that they were bytes. The load
# of an empty BLOB gives the text b''. The column is declared BLOB, which keeps a text as it is. The files carry CREATE TABLE alone, so that
# an index is gone as well, and with it UNIQUE. Both commands succeed. A dump has to be loaded and compared by typeof() and by
# sqlite_master before the database is thrown away.
# Guess before the run: the dump of a BLOB is an error.
# Takes sqlite-diffable 0.6 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlite-diffable==0.6
cat > make.py <<'P'
import sqlite3
file = sqlite3.connect('keys.db')
file.execute('CREATE TABLE key (door TEXT, secret BLOB)')
file.execute('CREATE UNIQUE INDEX one_door ON key (door)')
file.execute("INSERT INTO key VALUES ('cellar', x'ff31'), ('attic', x'')")
file.commit()
P
cat > compare.py <<'P'
import sqlite3
old, new = ({'rows': file.execute('SELECT door, secret, typeof(secret), length(secret) FROM key').fetchall(),
             'schema': [row[0] for row in file.execute('SELECT name FROM sqlite_master')]}
            for file in map(sqlite3.connect, ('keys.db', 'loaded.db')))
print('before: %s' % old)
print('after: %s' % new)
assert old['rows'] == [('cellar', b'\xff1', 'blob', 2), ('attic', b'', 'blob', 0)], old
assert new['rows'] == [('cellar', "b'\\xff1'", 'text', 8), ('attic', "b''", 'text', 3)], new
assert old['schema'] == ['key', 'one_door'] and new['schema'] == ['key'], (old, new)
P
venv/bin/pip list 2>/dev/null | grep sqlite-diffable
venv/bin/python make.py
venv/bin/sqlite-diffable dump keys.db dump --all
cat dump/key.ndjson
venv/bin/sqlite-diffable load loaded.db dump
venv/bin/python compare.py
