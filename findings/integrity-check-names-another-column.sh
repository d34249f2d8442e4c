#!/bin/sh
# PRAGMA integrity_check looks for NULL in columns that are declared NOT NULL (https://sqlite.org/pragma.html#pragma_integrity_check).
# A row may hold such a NULL where NOT NULL was added to the stored definition (https://sqlite.org/lang_altertable.html#otheralter).
# SQLite 3.40.1 reports the column with NULL, and then a second one that holds none: where a NUMERIC column with a text stands between
# the two. SQLite 3.46.0 and 3.54.1 report the first column alone, for the same file. Rows that are mended by that report alone are mended
# in the wrong column. A query that counts typeof(c) = 'null' for each column is exact in all of them.
# Guess before the run: every version reports one NULL, in column a.
# Takes SQLite 3.40.1, 3.46.0 and 3.54.1 out of apsw (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > check.py <<'P'
import apsw

file = apsw.Connection('stock.db')
if file.execute('SELECT count(*) FROM sqlite_schema').fetchone()[0] == 0:
    file.execute('CREATE TABLE stock (a, b NUMERIC, c)')
    file.execute("INSERT INTO stock VALUES (NULL, 'about 5', 'shelf')")
    file.execute('PRAGMA writable_schema = ON')
    file.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE stock (a NOT NULL, b NUMERIC, c NOT NULL)' WHERE name = 'stock'")
    file.execute('PRAGMA writable_schema = RESET')
reported = [row[0] for row in file.execute('PRAGMA integrity_check')]
counted = file.execute("SELECT sum(typeof(a) = 'null'), sum(typeof(c) = 'null') FROM stock").fetchone()
print('SQLite %s reports %s; NULL in a and in c: %s' % (apsw.sqlitelibversion(), reported, counted))
expected = ['NULL value in stock.a'] + (['NULL value in stock.c'] if apsw.sqlitelibversion() == '3.40.1' else [])
assert reported == expected and counted == (1, 0), (reported, counted)
P
for version in 3.40.1.0 3.46.0.0 3.54.1.0; do
  python3 -m venv "venv-$version"
  "venv-$version/bin/pip" -q install "apsw==$version"
  "venv-$version/bin/python" check.py
done
