#!/bin/sh
# SQLite has no type for a length of time. Pandas writes one by to_sql as an integer, with a warning that the integer counts nanoseconds
# (https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_sql.html). Pandas 2.3.3 keeps to that: 90 minutes are 5400000000000.
# Pandas 3 counts time in microseconds unless it is told otherwise, and 3.1.1 writes that count with the same warning: 5400000000. A length
# that was made with a unit of seconds is written as 5400. Rows that are appended after an upgrade are smaller by a factor of 1000 than the
# rows before, in one column of one file, and every sum mixes the two. Nothing in the file tells them apart. A column of integers needs its
# unit in the schema, in the name or in a CHECK.
# Guess before the run: both versions write the same number.
# Takes Pandas 2.3.3 and 3.1.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > append.py <<'P'
import pandas, sqlite3, sys, warnings

file = sqlite3.connect('calls.db')
call = pandas.DataFrame({'version': [pandas.__version__], 'length': pandas.to_timedelta(['90 min'])})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    call.to_sql('call', file, if_exists='append', index=False)
said = [str(warning.message) for warning in caught if 'timedelta' in str(warning.message)]
written = file.execute('SELECT length, typeof(length) FROM call WHERE version = ?', (pandas.__version__,)).fetchall()
print('Pandas %s, SQLite %s: 90 minutes are %s' % (pandas.__version__, sqlite3.sqlite_version, written[0]))
print('  ' + said[0])
assert 'ns frequency' in said[0], said
assert written == [({'2.3.3': 5400000000000, '3.1.1': 5400000000}[pandas.__version__], 'integer')], written
if pandas.__version__ == '3.1.1':
    pandas.DataFrame({'length': call['length'].dt.as_unit('s')}).to_sql('rough', file, index=False)
    rough, total = file.execute('SELECT length FROM rough').fetchone()[0], file.execute('SELECT sum(length) FROM call').fetchone()[0]
    print('from a column of seconds: %d; both rows add up to %s, read as nanoseconds' % (rough, pandas.Timedelta(total, 'ns')))
    assert (rough, total) == (5400, 5405400000000), (rough, total)
P
for version in 2.3.3 3.1.1; do
    python3 -m venv venv$version
    venv$version/bin/pip -q install pandas==$version
    venv$version/bin/python -W ignore append.py
done
