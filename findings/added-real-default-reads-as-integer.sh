#!/bin/sh
# ADD COLUMN writes no row: the rows that exist read the DEFAULT (https://sqlite.org/lang_altertable.html#altertabaddcol). A column
# without a type keeps a value as it is given, and 1.0 is a real number. SQLite 3.33.0 gives the rows that exist the integer 1 for DEFAULT
# 1.0, and a new row the real 1.0. SQLite 3.53.4 reads 1.0 for both from the same file. An index over the text of the column holds what
# the older version saw, so that the newer one finds one row of two by it and reports a damaged file. A file may be sound for the version
# that wrote it and not for the next. REINDEX after a change of version mends the index.
# Guess before the run: both versions read 1.0 in each row.
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
cat > default.py <<'P'
import ctypes, glob, sys

def opened(folder):
    # What the library needs beside the system's lies in the same folder.
    for other in sorted(glob.glob(folder + '/*.libs/libz*')):
        ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
    sqlite = ctypes.CDLL(glob.glob(folder + '/*.libs/libsqlite3*')[0])
    sqlite.sqlite3_libversion.restype = ctypes.c_char_p
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p)
    def run(sql):
        database, rows = ctypes.c_void_p(), []
        keep = kind(lambda _, count, values, names: rows.append(values[0].decode()) or 0)
        sqlite.sqlite3_open(b'scale.db', ctypes.byref(database))
        failed = sqlite.sqlite3_exec(database, sql.encode(), keep, None, None)
        sqlite.sqlite3_close(database)
        assert not failed, (sql, failed)
        return rows
    return sqlite.sqlite3_libversion().decode(), run

(old, by_old), (new, by_new) = map(opened, sys.argv[1:])
by_old('CREATE TABLE scale (id INTEGER PRIMARY KEY); INSERT INTO scale VALUES (1);'
       'ALTER TABLE scale ADD COLUMN factor DEFAULT 1.0; INSERT INTO scale (id) VALUES (2);'
       "CREATE INDEX as_text ON scale (factor || '')")
values = "SELECT typeof(factor) || ' ' || (factor || '') FROM scale NOT INDEXED ORDER BY id"
found = "SELECT id FROM scale WHERE factor || '' = '1.0' ORDER BY id"
seen = {}
for version, run in (old, by_old), (new, by_new):
    seen[version] = run(values), run(found), run('PRAGMA integrity_check')
    print('SQLite %s: rows %s; found by 1.0: %s; integrity_check: %s' % (version, *seen[version]))
by_new('REINDEX')
mended = by_new(found), by_new('PRAGMA integrity_check')
print('SQLite %s after REINDEX: found by 1.0: %s; integrity_check: %s' % (new, *mended))
assert seen['3.33.0'] == (['integer 1', 'real 1.0'], ['2'], ['ok']), seen
assert seen['3.53.4'][:2] == (['real 1.0', 'real 1.0'], ['2']) and seen['3.53.4'][2] != ['ok'], seen
assert mended == (['1', '2'], ['ok']), mended
P
python3 default.py fiona==1.10.1 pyproj==3.8.0
