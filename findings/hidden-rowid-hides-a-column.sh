#!/bin/sh
# A name in a subquery means a column of the subquery's own tables before it means one of the query around it. A table that declares no
# column called rowid still answers to that name with the number of its row (https://sqlite.org/rowidtable.html). So where the outer table
# declares a column rowid, an unqualified rowid in a subquery over one other table is that table's hidden number, not the declared column:
# an UPDATE that looks up a value by the key of its row gives every row the same value, without an error. In a subquery over a subquery,
# or over two tables, nothing has a hidden number of that name, and the declared column is meant.
# Guess before the run: a declared column of the outer table goes before a hidden name of the inner one, in every form.
# Takes SQLite 3.46.1 out of apsw 3.46.1.0 (PyPI, wheel for CPython 3.11 on x86-64 Linux). Needs python3.11 with pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > rows.py <<'P'
import sys
sys.path.insert(0, sys.argv[1])
import apsw
database = apsw.Connection(':memory:')
run = lambda sql: list(database.cursor().execute(sql))
run('CREATE TABLE note (rowid INTEGER PRIMARY KEY, text)')
run('CREATE TABLE kept (key, value)')
for key, value in (10, 'ten'), (20, 'twenty'), (2, 'two'):
    run("INSERT INTO note VALUES (%d, NULL)" % key)
    run("INSERT INTO kept VALUES (%d, '%s')" % (key, value))
right = [('two',), ('ten',), ('twenty',)]
forms = {
    'one table': 'SELECT value FROM kept WHERE key = rowid',
    'a subquery': 'SELECT value FROM (SELECT key, value FROM kept) WHERE key = rowid',
    'two of them': 'SELECT value FROM (SELECT key, value FROM kept), (SELECT 1) WHERE key = rowid',
    'a qualified name': 'SELECT value FROM kept WHERE key = note.rowid',
}
seen = {}
for form, query in forms.items():
    run('UPDATE note SET text = (%s)' % query)
    found = run('SELECT text FROM note ORDER BY rowid')
    seen[form] = found == right
    print('SQLite %s, %s: %s' % (apsw.sqlitelibversion(), form, [text for text, in found]))
assert seen == {'one table': False, 'a subquery': True, 'two of them': True, 'a qualified name': True}, seen
P
python3.11 -m pip download -q --no-deps --only-binary=:all: --python-version 3.11 --platform manylinux2014_x86_64 \
  --platform manylinux_2_17_x86_64 -d wheel apsw==3.46.1.0
python3.11 -m zipfile -e wheel/*.whl wheel
python3.11 rows.py wheel
