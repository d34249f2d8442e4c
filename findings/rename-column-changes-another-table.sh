#!/bin/sh
# ALTER TABLE RENAME COLUMN rewrites the table and what refers to the column (https://sqlite.org/lang_altertable.html#altertabrename).
# SQLite 3.33.0 takes the column in the same place of every other table for it, where a generated column of that table reads it: the rename
# of t.b, the second column, puts the new name into an expression of u over u.n, which is the second there. Where the new name is
# written in double quotes it becomes a text, so that the computed column has a constant from then on, and nothing is said. Without
# quotes the rename is refused: no such column. SQLite 3.53.4 changes t alone.
# Guess before the run: no version touches u.
# Takes SQLite 3.33.0 out of fiona 1.10.1 and 3.53.4 out of pyproj 3.8.0 (PyPI, wheels for CPython 3.13 on x86-64 Linux). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in fiona==1.10.1 pyproj==3.8.0; do
  python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.13 --platform manylinux2014_x86_64 \
    --platform manylinux_2_28_x86_64 -d "$package" "$package"
  python3 -m zipfile -e "$package"/*.whl "$package"
done
cat > rename.py <<'P'
import ctypes, glob, sys

def renamed(folder):
    # What the library needs beside the system's lies in the same folder.
    for other in sorted(glob.glob(folder + '/*.libs/libz*')):
        ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
    sqlite = ctypes.CDLL(glob.glob(folder + '/*.libs/libsqlite3*')[0])
    sqlite.sqlite3_libversion.restype = sqlite.sqlite3_errmsg.restype = ctypes.c_char_p
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p)
    found = []
    for name in '"d"', 'd':
        database, rows = ctypes.c_void_p(), []
        sqlite.sqlite3_open(b':memory:', ctypes.byref(database))
        # 1013, 1014: texts in double quotes, as SQLite takes them unless it is built otherwise.
        for option in 1013, 1014:
            sqlite.sqlite3_db_config(database, option, 1, None)
        keep = kind(lambda _, count, values, names: rows.append(values[0].decode()) or 0)
        run = lambda sql: sqlite.sqlite3_exec(database, sql.encode(), keep, None, None)
        run('CREATE TABLE t (a, b, c); CREATE TABLE u (id INTEGER PRIMARY KEY, n INT, k TEXT AS (typeof(n)) STORED)')
        if run('ALTER TABLE t RENAME COLUMN b TO ' + name):
            found.append(sqlite.sqlite3_errmsg(database).decode())
            continue
        run("INSERT INTO u (id) VALUES (1); SELECT sql || ' gives ' || k FROM sqlite_master, u WHERE name = 'u'")
        found.append(rows[-1])
    return sqlite.sqlite3_libversion().decode(), found

found = dict(renamed(folder) for folder in sys.argv[1:])
for version, answers in found.items():
    print('SQLite %s: TO "d": %s; TO d: %s' % (version, *answers))
assert found['3.33.0'][0].endswith('AS (typeof("d")) STORED) gives text') and found['3.33.0'][1] == 'no such column: d'
assert all(answer.endswith('AS (typeof(n)) STORED) gives null') for answer in found['3.53.4'])
P
python3 rename.py fiona==1.10.1 pyproj==3.8.0
