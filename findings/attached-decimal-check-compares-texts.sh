#!/bin/sh
# DuckDB makes tables in an attached SQLite file by its own CREATE TABLE (https://duckdb.org/docs/current/core_extensions/sqlite). Version
# 1.5.5 writes a DECIMAL column as VARCHAR there and hands its CHECK on as it stands. SQLite applies the affinity of the column to the
# number in the CHECK and compares two texts from then on. CHECK (price >= 10) accepts 9.50, because 9 comes after 1, and refuses 0.50
# still. DuckDB itself, given the same statement for a table of its own, refuses 9.50, and so does SQLite for a DECIMAL column. max() goes
# by text as well. A schema that moves between the two has to be compared by its types first, and by its constraints then.
# Guess before the run: 9.50 is refused in all three.
# Takes DuckDB 1.5.5 with duckdb-extension-sqlite-scanner 1.5.5 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5
cat > attach.py <<'P'
import duckdb, glob, os, sqlite3, duckdb_extension_sqlite_scanner as scanner

statement = 'CREATE TABLE %s (price DECIMAL(10, 2) CHECK (price >= 10))'
prices = '0.50', '9.50', '100.00'

def accepted(run, table):
    taken = []
    for price in prices:
        try:
            run('INSERT INTO %s VALUES (%s)' % (table, price))
            taken.append(price)
        except (duckdb.Error, sqlite3.IntegrityError) as error:
            assert 'CHECK' in str(error), error
    return taken

database = duckdb.connect()
database.execute("LOAD '%s'" % glob.glob(os.path.dirname(scanner.__file__) + '/extensions/*/sqlite_scanner.duckdb_extension')[0])
database.execute("ATTACH 'shop.db' AS shop (TYPE sqlite)")
for table in 'memory.own', 'shop.attached':
    database.execute(statement % table)
by_duckdb = accepted(database.execute, 'memory.own')
in_file = accepted(database.execute, 'shop.attached')
highest = database.execute('SELECT max(price) FROM shop.attached').fetchone()[0]
database.close()
file = sqlite3.connect('shop.db')
declared = file.execute("SELECT sql FROM sqlite_master WHERE name = 'attached'").fetchone()[0]
file.execute(statement % 'direct')
by_sqlite = accepted(file.execute, 'direct')
print('DuckDB %s, SQLite %s; prices offered: %s' % (duckdb.__version__, sqlite3.sqlite_version, ', '.join(prices)))
print('accepted by a table of DuckDB: %s; by one that SQLite makes: %s' % (by_duckdb, by_sqlite))
print('accepted in the attached file: %s, highest %s; declared there: %s' % (in_file, highest, declared))
assert by_duckdb == by_sqlite == ['100.00'], (by_duckdb, by_sqlite)
assert in_file == ['9.50', '100.00'] and highest == '9.50', (in_file, highest)
assert 'price VARCHAR' in declared and 'price >= 10' in declared, declared
P
venv/bin/python attach.py
