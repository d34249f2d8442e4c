#!/bin/sh
# DuckDB changes tables of an attached SQLite file by ALTER TABLE (https://duckdb.org/docs/current/core_extensions/sqlite). Version 1.5.5
# takes ADD COLUMN with a DEFAULT there and hands the name and the type on alone. Old rows hold NULL, and so do new ones, whichever of the
# two engines inserts them. DuckDB gives the default to old and new rows of a table of its own, and SQLite does so when it runs the same
# statement itself. CREATE TABLE through DuckDB keeps a DEFAULT in the file. A migration that succeeds through an attached file is thus not
# done, and its columns have to be read back.
# One would expect: each of the three gives the default to old and new rows.
# Takes DuckDB 1.5.5 with duckdb-extension-sqlite-scanner 1.5.5 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5
cat > attach.py <<'P'
import duckdb, glob, os, sqlite3, duckdb_extension_sqlite_scanner as scanner

def changed(run, table):
    run('CREATE TABLE %s (id INTEGER, unit TEXT DEFAULT \'kg\')' % table)
    run('INSERT INTO %s (id) VALUES (1)' % table)
    run("ALTER TABLE %s ADD COLUMN state TEXT DEFAULT 'new'" % table)
    run('INSERT INTO %s (id) VALUES (2)' % table)
    return run('SELECT id, unit, state FROM %s ORDER BY id' % table).fetchall()

database = duckdb.connect()
database.execute("LOAD '%s'" % glob.glob(os.path.dirname(scanner.__file__) + '/extensions/*/sqlite_scanner.duckdb_extension')[0])
database.execute("ATTACH 'shop.db' AS shop (TYPE sqlite)")
by_duckdb = changed(database.execute, 'memory.own')
in_file = changed(database.execute, 'shop.attached')
database.close()
file = sqlite3.connect('shop.db')
by_sqlite = changed(file.execute, 'direct')
file.execute('INSERT INTO attached (id) VALUES (3)')
later = file.execute('SELECT id, unit, state FROM attached WHERE id = 3').fetchone()
declared = file.execute("SELECT sql FROM sqlite_master WHERE name = 'attached'").fetchone()[0]
print('DuckDB %s, SQLite %s; row 1 is older than the column' % (duckdb.__version__, sqlite3.sqlite_version))
print('a table of DuckDB: %s; one changed by SQLite: %s' % (by_duckdb, by_sqlite))
print('the attached one: %s; a row that SQLite adds: %s; declared: %s' % (in_file, later, declared))
assert by_duckdb == by_sqlite == [(1, 'kg', 'new'), (2, 'kg', 'new')], (by_duckdb, by_sqlite)
assert in_file == [(1, 'kg', None), (2, 'kg', None)] and later == (3, 'kg', None), (in_file, later)
assert declared.endswith("unit VARCHAR DEFAULT('kg'), state VARCHAR)"), declared
P
venv/bin/python attach.py
