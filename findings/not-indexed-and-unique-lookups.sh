#!/bin/sh
# NOT INDEXED forbids SQLite every index of a table (https://sqlite.org/lang_indexedby.html). SQLite 3.33.0 keeps to that where it
# scans, and not where a comparison names all columns of a unique index: it looks the row up there, and reads no table at all. A
# question that is to be answered by the rows, because an index may lack some, is answered by the index. A unary + before the
# column holds it off. Newer versions scan.
# Guess before the run: a scan on every version.
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
cat > ask.py <<'P'
import ctypes, glob, sys

def plans(folder):
    # What the library needs beside the system's lies in the same folder.
    for other in sorted(glob.glob(folder + '/*.libs/libz*')):
        ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
    sqlite = ctypes.CDLL(glob.glob(folder + '/*.libs/libsqlite3*')[0])
    sqlite.sqlite3_libversion.restype = ctypes.c_char_p
    database, rows = ctypes.c_void_p(), []
    sqlite.sqlite3_open(b':memory:', ctypes.byref(database))
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p)
    keep = kind(lambda _, count, values, names: rows.append(values[count - 1].decode()) or 0)
    run = lambda sql: sqlite.sqlite3_exec(database, sql.encode(), keep, None, None)
    run('CREATE TABLE t (id INTEGER PRIMARY KEY, c REAL NOT NULL); CREATE UNIQUE INDEX tc ON t (c)')
    for term in 'c', '+c':
        run('EXPLAIN QUERY PLAN SELECT count(*) FROM t NOT INDEXED WHERE %s = 5.0' % term)
    return sqlite.sqlite3_libversion().decode(), rows

found = dict(plans(folder) for folder in sys.argv[1:])
for version, rows in found.items():
    print('SQLite %s: c = 5.0: %s; +c = 5.0: %s' % (version, *rows))
old, new = found['3.33.0'], found['3.53.4']
assert 'COVERING INDEX tc' in old[0] and 'SCAN' in old[1], old
assert all(row.startswith('SCAN') for row in new), new
P
python3 ask.py fiona==1.10.1 pyproj==3.8.0
