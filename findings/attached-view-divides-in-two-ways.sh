#!/bin/sh
# DuckDB reads the views of an attached SQLite file as well as its tables (https://duckdb.org/docs/current/core_extensions/sqlite). A view
# is a query that is kept in the file, and SQLite divides two integers as integers (https://sqlite.org/lang_expr.html). DuckDB 1.5.5 runs
# the text of the view itself and by its own rules, so that 7 / 2 is 3.5 in a view that SQLite answers with 3. A view that selects the
# rides with a mean of 3 is empty, and so is one that finds ada in a NOCASE column that holds Ada. A column with strftime('%m', day),
# which DuckDB does not accept, makes it give the whole view to SQLite. The same division beside it is 3 then, and all columns become
# texts. There is no message in either case. A view that more than one engine reads should leave nothing to the engine: CAST the operands,
# and name the collation.
# Guess before the run: SQLite runs each view, or DuckDB runs each, and the division is the same in both views.
# Takes DuckDB 1.5.5 with duckdb-extension-sqlite-scanner 1.5.5 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5
cat > view.py <<'P'
import duckdb, glob, os, sqlite3, duckdb_extension_sqlite_scanner as scanner

views = {'pace': 'SELECT id, minutes / stops AS mean FROM ride',
         'pace_of_month': "SELECT id, minutes / stops AS mean, strftime('%m', day) AS month FROM ride",
         'brisk': 'SELECT id FROM ride WHERE minutes / stops = 3', 'ada': "SELECT id FROM ride WHERE driver = 'ada'"}
file = sqlite3.connect('ride.db')
file.executescript('''CREATE TABLE ride (id INTEGER PRIMARY KEY, minutes INTEGER, stops INTEGER, day TEXT, driver TEXT COLLATE NOCASE);
    INSERT INTO ride VALUES (1, 7, 2, '2024-05-01', 'Ada'), (2, 10, 4, '2024-06-02', 'Ben');''')
for name, query in views.items():
    file.execute('CREATE VIEW %s AS %s' % (name, query))
database = duckdb.connect()
database.execute("LOAD '%s'" % glob.glob(os.path.dirname(scanner.__file__) + '/extensions/*/sqlite_scanner.duckdb_extension')[0])
database.execute("ATTACH 'ride.db' AS shop (TYPE sqlite)")
print('DuckDB %s, SQLite %s' % (duckdb.__version__, sqlite3.sqlite_version))
expected = {'pace': ([(1, 3.5), (2, 2.5)], [(1, 3), (2, 2)]),
            'pace_of_month': ([('1', '3', '05'), ('2', '2', '06')], [(1, 3, '05'), (2, 2, '06')]),
            'brisk': ([], [(1,)]), 'ada': ([], [(1,)])}
for name, rows in expected.items():
    seen = database.execute('FROM shop.' + name).fetchall(), file.execute('SELECT * FROM ' + name).fetchall()
    print('%s: DuckDB: %s; SQLite: %s' % (name, *seen))
    assert seen == rows, (name, seen)
P
venv/bin/python view.py
