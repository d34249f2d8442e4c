#!/bin/sh
# A column of SQLite may hold numbers and texts next to each other (https://sqlite.org/datatype3.html). ADBC reads answers of SQLite as Arrow
# tables, whose columns have one type each, and takes the type from the values (https://arrow.apache.org/adbc/current/driver/sqlite.html).
# Version 1.13.0 gives real numbers all their digits while the column has numbers alone. One text among them makes it a column of texts, and
# each number is then written with seven digits: 1234567.891 becomes 1.234568e+06, and an integer behind a real number is cut the same way.
# CAST to TEXT in SQLite keeps all digits. The texts that come out fit a numeric column again, with other values. One entry such as n/a thus
# changes the rows beside it. A copy has to ask for typeof() first, and to compare the values afterwards.
# Guess before the run: the numbers come as texts with all their digits, or the query is refused.
# Takes ADBC 1.13.0 for SQLite with PyArrow 26.0.1 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install adbc-driver-sqlite==1.13.0 adbc-driver-manager==1.13.0 pyarrow==26.0.1
cat > read.py <<'P'
import adbc_driver_sqlite, adbc_driver_sqlite.dbapi

cursor = adbc_driver_sqlite.dbapi.connect(':memory:').cursor()
cursor.execute('CREATE TABLE level (place TEXT, height NUMERIC)')
cursor.execute("INSERT INTO level VALUES ('a', 1234567.891), ('b', 0.123456789), ('c', 9007199254740993), ('d', 'n/a')")

def read(query):
    cursor.execute(query)
    column = cursor.fetch_arrow_table().column(0)
    return str(column.type), column.to_pylist()

version = read('SELECT sqlite_version()')[1][0]
numbers = read("SELECT height FROM level WHERE place < 'c'")
mixed = read('SELECT height FROM level')
texts = read('SELECT CAST(height AS TEXT) FROM level')
cursor.execute('CREATE TABLE copy (height NUMERIC)')
for value in mixed[1]:
    cursor.execute('INSERT INTO copy VALUES (?)', (value,))
kinds = read('SELECT group_concat(typeof(height)) FROM copy')[1][0]
back = read("SELECT height FROM copy WHERE typeof(height) = 'integer'")[1]
print('ADBC %s, SQLite %s' % (adbc_driver_sqlite.__version__, version))
print('real numbers alone: %s %s' % numbers)
print('with an integer and a text: %s %s' % mixed)
print('CAST in the query: %s %s' % texts)
print('put into a NUMERIC column again: %s; integers among them: %s' % (kinds, back))
assert numbers == ('double', [1234567.891, 0.123456789]), numbers
assert mixed == ('string', ['1.234568e+06', '1.234568e-01', '9.007199e+15', 'n/a']), mixed
assert texts == ('string', ['1234567.891', '0.123456789', '9007199254740993', 'n/a']), texts
assert kinds == 'integer,real,integer,text' and back == [1234568, 9007199000000000], (kinds, back)
P
venv/bin/python read.py
