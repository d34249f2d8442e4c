#!/bin/sh
# A table that is made from the rowid of another one has a column of that name, and rowid means this column from then on, and not the
# number of the row (https://sqlite.org/rowidtable.html). A join may hold one value of it in several rows. DuckDB deletes and changes rows of
# an attached SQLite file (https://duckdb.org/docs/current/core_extensions/sqlite). Version 1.5.5 looks for them by the conditions of the
# statement, and names them to SQLite by rowid. All rows that share the value go with the one that was meant, and DuckDB reports one row. An
# UPDATE changes them all in the same way. A column called oid does no harm. DuckDB and SQLite alone, given the same statements, take one
# row each. A tool that names rows by their number has to use the one of rowid, oid and _rowid_ that is no column of the table.
# Guess before the run: one row goes, as reported, or the table is refused, as one without rowid is.
# Takes DuckDB 1.5.5 with duckdb-extension-sqlite-scanner 1.5.5 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5
cat > delete.py <<'P'
import duckdb, glob, os, sqlite3, duckdb_extension_sqlite_scanner as scanner

rows = "CREATE TABLE list AS SELECT 1 AS rowid, 'bolt' AS part UNION ALL SELECT 1, 'nut' UNION ALL SELECT 2, 'saw'"
join = '''CREATE TABLE orders (customer TEXT); INSERT INTO orders VALUES ('Ada'), ('Ben'); CREATE TABLE line (number INT, part TEXT);
    INSERT INTO line VALUES (1, 'bolt'), (1, 'nut'), (2, 'saw');
    CREATE TABLE list AS SELECT orders.rowid%s, part FROM orders JOIN line ON number = orders.rowid'''
database = duckdb.connect()
database.execute("LOAD '%s'" % glob.glob(os.path.dirname(scanner.__file__) + '/extensions/*/sqlite_scanner.duckdb_extension')[0])

def attached(alias, statement):
    path = statement[0] + alias[-3:] + '.db'
    file = sqlite3.connect(path)
    file.executescript(join % alias)
    file.close()
    database.execute("ATTACH '%s' AS shop (TYPE sqlite)" % path)
    count = database.execute(statement % 'shop.list').fetchone()[0]
    database.execute('DETACH shop')
    return count, left(sqlite3.connect(path))

def left(file):
    return sorted(part for part, in file.execute('SELECT part FROM list').fetchall())

print('DuckDB %s, SQLite %s; rows reported, and rows afterwards:' % (duckdb.__version__, sqlite3.sqlite_version))
expected = {"DELETE FROM %s WHERE part = 'bolt'": (['saw'], ['nut', 'saw']),
            "UPDATE %s SET part = 'screw' WHERE part = 'bolt'": (['saw', 'screw', 'screw'], ['nut', 'saw', 'screw'])}
for statement, (wrong, right) in expected.items():
    seen, other = attached('', statement), attached(' AS oid', statement)
    own, direct = duckdb.connect(), sqlite3.connect(':memory:')
    own.execute(rows)
    direct.executescript(join % '')
    counts = own.execute(statement % 'list').fetchone()[0], direct.execute(statement % 'list').rowcount
    print('%s: attached: %s; with the column called oid: %s' % (statement % 'list', seen, other))
    print('  DuckDB alone: %s; SQLite alone: %s' % ((counts[0], left(own)), (counts[1], left(direct))))
    assert seen == (1, wrong) and other == (1, right), (seen, other)
    assert counts == (1, 1) and left(own) == left(direct) == right, (counts, left(own), left(direct))
P
venv/bin/python delete.py
