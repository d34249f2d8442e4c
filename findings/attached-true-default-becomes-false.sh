#!/bin/sh
# DuckDB makes tables in an attached SQLite file, and copies whole files by COPY FROM DATABASE
# (https://duckdb.org/docs/current/core_extensions/sqlite). Version 1.5.5 hands DEFAULT true on as a cast of the text t to BOOLEAN. SQLite
# knows no such type, casts to a number, and finds none in the text (https://sqlite.org/lang_expr.html#castexpr). A row that leaves the
# column out gets 0, whichever of the two engines inserts it. DEFAULT true means false from then on, and DEFAULT false is right by chance.
# A copy of a file in which SQLite itself wrote DEFAULT true comes out the same way. A copy has to be tried with a new row, because the old
# rows look right.
# One would expect: a new row has 1 in each table.
# Takes DuckDB 1.5.5 with duckdb-extension-sqlite-scanner 1.5.5 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5
cat > attach.py <<'P'
import duckdb, glob, os, sqlite3, duckdb_extension_sqlite_scanner as scanner

statement = 'CREATE TABLE %s (id INTEGER, active BOOLEAN DEFAULT true, hidden BOOLEAN DEFAULT false)'

def added(run, table):
    run('INSERT INTO %s (id) VALUES (2)' % table)
    return tuple(int(value) for value in run('SELECT active, hidden FROM %s WHERE id = 2' % table).fetchone())

by_sqlite = sqlite3.connect('first.db')
by_sqlite.execute(statement % 'direct')
by_sqlite.execute('INSERT INTO direct (id) VALUES (1)')
by_sqlite.commit()
database = duckdb.connect()
database.execute("LOAD '%s'" % glob.glob(os.path.dirname(scanner.__file__) + '/extensions/*/sqlite_scanner.duckdb_extension')[0])
for name in 'first', 'copied', 'made':
    database.execute("ATTACH '%s.db' AS %s (TYPE sqlite)" % (name, name))
database.execute('COPY FROM DATABASE first TO copied')
database.execute('DETACH first')
for table in 'memory.own', 'made.attached':
    database.execute(statement % table)
own, attached = added(database.execute, 'memory.own'), added(database.execute, 'made.attached')
database.close()
direct = added(by_sqlite.execute, 'direct')
copy = sqlite3.connect('copied.db')
copied, old = added(copy.execute, 'direct'), copy.execute('SELECT active, hidden FROM direct WHERE id = 1').fetchone()
declared = copy.execute("SELECT dflt_value FROM pragma_table_info('direct') WHERE name = 'active'").fetchone()[0]
print('DuckDB %s, SQLite %s; active and hidden of a new row:' % (duckdb.__version__, sqlite3.sqlite_version))
print('a table of DuckDB: %s; one of SQLite: %s; one that DuckDB made in the file: %s' % (own, direct, attached))
print('a copy of the file: %s; its old row: %s; DEFAULT there: %s' % (copied, old, declared))
assert own == direct == (1, 0), (own, direct)
assert attached == copied == (0, 0) and old == (1, 0), (attached, copied, old)
assert declared == "CAST('t' AS BOOLEAN)", declared
P
venv/bin/python attach.py
