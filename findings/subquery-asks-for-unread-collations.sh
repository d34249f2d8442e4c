#!/bin/sh
# A program adds a collation of its own, and another one reads the file without it, as sqlite3 and most tools do. A query that orders or
# compares nothing by the collation needs none: SELECT of the column itself works (https://sqlite.org/datatype3.html#collation). As soon
# as the column stands in the result of a subquery, the same SQLite refuses the query with "no such collation sequence", even where
# the outer query reads another column only. Views are subqueries: one that lists the column cannot be read at all. COLLATE BINARY behind
# the column in the subquery helps.
# Guess before the run: a column that nobody reads is asked for nothing.
# Takes SQLite 3.46.1 out of apsw 3.46.1.0 and 3.53.4 out of pyproj 3.8.0 (PyPI, wheels for CPython 3.13 on x86-64 Linux). Needs python3
# and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.13 --platform manylinux_2_28_x86_64 -d wheel pyproj==3.8.0
python3 -m zipfile -e wheel/*.whl pyproj
python3 -m venv venv
venv/bin/pip -q install apsw==3.46.1.0
cat > ask.py <<'P'
import apsw, ctypes, glob

made = apsw.Connection('notes.db')
made.create_collation('by_app', lambda a, b: (a > b) - (a < b))
made.execute('CREATE TABLE note (title TEXT COLLATE by_app, n INT); INSERT INTO note VALUES (?, ?)', ('wren', 1))
made.execute('CREATE VIEW titles AS SELECT title, n FROM note')
made.close()

queries = ['SELECT title FROM note', 'SELECT n FROM (SELECT n FROM note)', 'SELECT n FROM (SELECT title, n FROM note)',
           'SELECT n FROM titles', 'SELECT n FROM (SELECT title COLLATE BINARY AS title, n FROM note)']

def by_apsw(sql):
    try:
        apsw.Connection('notes.db').execute(sql).fetchall()
        return 'works'
    except apsw.SQLError as error:
        return str(error)

def by_library(path):
    for other in sorted(glob.glob('pyproj/*.libs/libz*')):
        ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
    sqlite, database, text = ctypes.CDLL(path), ctypes.c_void_p(), ctypes.c_char_p()
    sqlite.sqlite3_libversion.restype = ctypes.c_char_p
    sqlite.sqlite3_open(b'notes.db', ctypes.byref(database))
    def ask(sql):
        failed = sqlite.sqlite3_exec(database, sql.encode(), None, None, ctypes.byref(text))
        return text.value.decode() if failed else 'works'
    return sqlite.sqlite3_libversion().decode(), ask

version, ask = by_library(glob.glob('pyproj/*.libs/libsqlite3*')[0])
for name, ask in (apsw.sqlite_lib_version(), by_apsw), (version, ask):
    answers = [ask(sql) for sql in queries]
    for sql, answer in zip(queries, answers):
        print('SQLite %s: %s: %s' % (name, sql, answer))
    words = [answer == 'works' or 'no such collation sequence: by_app' in answer and 'fails' for answer in answers]
    assert words == [True, True, 'fails', 'fails', True], words
P
venv/bin/python ask.py
