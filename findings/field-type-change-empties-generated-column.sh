#!/bin/sh
# A GeoPackage is a SQLite file (https://gdal.org/en/stable/drivers/vector/gpkg.html), and a table of it may have generated columns. GDAL
# 3.12.4 shows such a column as a field like any other. When it changes the type of another field it writes the whole CREATE TABLE anew
# from its fields. The generated column comes back as an ordinary one, without its expression. A virtual column holds NULL in each row
# from then on, and new rows compute nothing. GDAL reports success, and integrity_check finds nothing. A schema that is described by
# names and types alone cannot be written back, because the rest of each column is lost.
# Guess before the run: columns that are not named stay as they are, or the change is refused.
# Takes GDAL 3.12.4 out of pyogrio 0.13.0 (PyPI, wheel for CPython 3.13 on x86-64 Linux). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.13 --platform manylinux_2_28_x86_64 -d wheel pyogrio==0.13.0
python3 -m zipfile -e wheel/*.whl pyogrio
cat > alter.py <<'P'
import ctypes, glob, os, sqlite3

os.environ['GDAL_DATA'] = glob.glob('pyogrio/pyogrio/gdal_data')[0]
gdal = ctypes.CDLL(glob.glob('pyogrio/*.libs/libgdal*')[0])
pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
for name, result, *arguments in [
        ('GDALVersionInfo', text, text), ('GDALGetDriverByName', pointer, text), ('GDALClose', number, pointer),
        ('GDALCreate', pointer, pointer, text, number, number, number, number, pointer),
        ('GDALOpenEx', pointer, text, ctypes.c_uint, pointer, pointer, pointer),
        ('GDALDatasetCreateLayer', pointer, pointer, text, pointer, number, pointer),
        ('GDALDatasetGetLayerByName', pointer, pointer, text), ('OGR_Fld_Create', pointer, text, number),
        ('OGR_L_CreateField', number, pointer, pointer, number),
        ('OGR_L_AlterFieldDefn', number, pointer, number, pointer, number)]:
    getattr(gdal, name).restype, getattr(gdal, name).argtypes = result, arguments
# Numbers of GDAL: kinds of fields, a layer without geometry, the flag for a change of type, vector data open for changes.
integer, real, no_geometry, change_type, vector_update = 0, 2, 100, 2, 5

gdal.GDALAllRegister()
file = gdal.GDALCreate(gdal.GDALGetDriverByName(b'GPKG'), b'signs.gpkg', 0, 0, 0, 0, None)
layer = gdal.GDALDatasetCreateLayer(file, b'sign', None, no_geometry, None)
for name in b'year', b'width', b'height':
    gdal.OGR_L_CreateField(layer, gdal.OGR_Fld_Create(name, integer), 1)
gdal.GDALClose(file)

def run(sql):
    connection = sqlite3.connect('signs.gpkg')
    rows = connection.execute(sql).fetchall()
    connection.commit()
    connection.close()
    return rows

def seen():
    made = run("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'sign'")[0][0]
    return made.rsplit(', ', 1)[1][:-1], [row[0] for row in run('SELECT area FROM sign ORDER BY fid')]

run('ALTER TABLE sign ADD COLUMN area INTEGER AS (width * height)')
run('INSERT INTO sign (year, width, height) VALUES (2019, 3, 4)')
before = seen()
file = gdal.GDALOpenEx(b'signs.gpkg', vector_update, None, None, None)
layer = gdal.GDALDatasetGetLayerByName(file, b'sign')
failed = gdal.OGR_L_AlterFieldDefn(layer, 0, gdal.OGR_Fld_Create(b'year', real), change_type)
gdal.GDALClose(file)
run('INSERT INTO sign (year, width, height) VALUES (2020, 5, 6)')
after, check = seen(), run('PRAGMA integrity_check')
print('%s; SQLite %s reads' % (gdal.GDALVersionInfo(b'--version').decode(), sqlite3.sqlite_version))
print('before: column %s; values %s' % before)
print('after year became real, error %d: column %s; values %s; integrity_check: %s' % (failed, *after, check[0][0]))
assert before == ('area INTEGER AS (width * height)', [12]), before
assert failed == 0 and after == ('"area" INTEGER', [None, None]) and check == [('ok',)], (failed, after, check)
P
python3 alter.py
