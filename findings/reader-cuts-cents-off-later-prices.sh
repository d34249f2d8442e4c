#!/bin/sh
# A DECIMAL column has the affinity NUMERIC, which stores 5.00 as the integer 5 (https://sqlite.org/datatype3.html#type_affinity). A column
# of prices thus holds integers and real numbers next to each other. Polars reads a query by read_database
# (https://docs.pola.rs/api/python/stable/reference/api/polars.read_database.html). Version 2.1.0 looks at the first 100 rows of an answer
# of sqlite3. If the prices there are whole, it takes the column for integers and cuts the cents off all later ones: 19.99 becomes
# 19, and -0.75 becomes 0. There is no error and no warning. A text that comes that late is an error. The same query in another order is
# read right. A copy through a data frame has to be compared by a sum that SQLite computes.
# Guess before the run: the column becomes one of real numbers, or the row is an error.
# Takes Polars 2.1.0 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install polars==2.1.0
cat > read.py <<'P'
import polars, sqlite3, warnings

warnings.simplefilter('error')
file = sqlite3.connect(':memory:')
file.execute('CREATE TABLE sale (id INTEGER PRIMARY KEY, price DECIMAL(10, 2))')
file.executemany('INSERT INTO sale (price) VALUES (?)', [('5.00',)] * 100 + [('19.99',), ('-0.75',)])

def read(query, **options):
    prices = polars.read_database(query, file, **options)['price']
    late = {'19.99': prices[100], '-0.75': prices[101]} if 'DESC' not in query else {'19.99': prices[1], '-0.75': prices[0]}
    return str(prices.dtype), late, round(prices.sum(), 2)

total = round(file.execute('SELECT sum(price) FROM sale').fetchone()[0], 2)
plain = read('SELECT * FROM sale ORDER BY id')
turned = read('SELECT * FROM sale ORDER BY id DESC')
whole = read('SELECT * FROM sale ORDER BY id', infer_schema_length=None)
print('Polars %s, SQLite %s: the prices add up to %s' % (polars.__version__, sqlite3.sqlite_version, total))
for name, (kind, late, amount) in ('in order', plain), ('in reverse', turned), ('in order, all rows looked at', whole):
    print('%s: %s, %s, %s in all' % (name, kind, late, amount))
file.execute("UPDATE sale SET price = 'free' WHERE id = 101")
try:
    read('SELECT * FROM sale ORDER BY id')
    error = None
except polars.exceptions.ComputeError as raised:
    error = str(raised).splitlines()[0]
print('a text in that row: ' + str(error)[:70])
assert total == 519.24, total
assert plain == ('Int64', {'19.99': 19, '-0.75': 0}, 519), plain
assert turned == whole == ('Float64', {'19.99': 19.99, '-0.75': -0.75}, total), (turned, whole)
assert error and 'could not append' in error, error
P
venv/bin/python read.py
