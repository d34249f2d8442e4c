#!/bin/sh
# sqlite-utils offers extract() to move the values of a column into a table of their own, and to leave the number of the row there in its
# place (https://sqlite-utils.datasette.io/en/stable/python-api.html#extracting-columns-into-a-separate-table). A column of SQLite may have
# no type, as each computed one of CREATE TABLE AS. Version 4.2.1 declares such a column TEXT in the new table. The numbers become texts on
# the way, and the search for the number of the row compares a number with a text. Each row gets NULL instead, and the old column is
# dropped. No row tells its year any more, and nothing is said. A column of the type INTEGER comes through. A step that moves values must
# count the rows that have one before it drops where they were.
# One would expect: each row finds its year in the new table.
# Takes sqlite-utils 4.2.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlite-utils==4.2.1
cat > extract.py <<'P'
import importlib.metadata, sqlite3, sqlite_utils

def extracted(year):
    database = sqlite_utils.Database(memory=True)
    database.execute('CREATE TABLE log (id INTEGER PRIMARY KEY, day TEXT)')
    database.execute("INSERT INTO log (day) VALUES ('2023-05-01'), ('2023-06-02'), ('2024-07-03')")
    database.execute('CREATE TABLE visit AS SELECT id, %s AS year FROM log' % year)
    declared = database.execute("SELECT type FROM pragma_table_info('visit') WHERE name = 'year'").fetchone()[0]
    before = [value for value, in database.execute('SELECT year FROM visit ORDER BY id')]
    database['visit'].extract('year')
    rows = database.execute('SELECT year.year FROM visit LEFT JOIN year ON year.id = visit.year_id ORDER BY visit.id')
    columns = [name for name, in database.execute("SELECT name FROM pragma_table_info('visit')")]
    return declared, before, [value for value, in rows], columns

print('sqlite-utils %s, SQLite %s' % (importlib.metadata.version('sqlite-utils'), sqlite3.sqlite_version))
untyped, typed = extracted("strftime('%Y', day) + 0"), extracted("CAST(strftime('%Y', day) AS INTEGER)")
for declared, before, after, columns in untyped, typed:
    print('type %r: years %s, after extract() %s; columns left: %s' % (declared, before, after, ', '.join(columns)))
assert untyped == ('', [2023, 2023, 2024], [None, None, None], ['id', 'year_id']), untyped
assert typed == ('INT', [2023, 2023, 2024], [2023, 2023, 2024], ['id', 'year_id']), typed
P
venv/bin/python extract.py
