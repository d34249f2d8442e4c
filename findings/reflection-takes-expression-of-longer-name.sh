#!/bin/sh
# SQLite tells which columns are generated, and not how: the expression stands only in the text of the table
# (https://sqlite.org/gencol.html). SQLAlchemy reads it there when it reflects a table
# (https://docs.sqlalchemy.org/en/21/core/reflection.html). Version 2.1.9 looks for the name of the column and does not ask whether a
# longer name ends with it. The column price, behind one that is called list_price, gets the expression of list_price. SQLAlchemy itself
# made the table. A second file that is made from the reflected table computes other prices, and no warning is given. The same two columns
# in the other order come through. A copy of a schema has to be compared by its text, or by the values that it computes.
# Guess before the run: each column keeps its own expression, since SQLAlchemy reads what it wrote.
# Takes SQLAlchemy 2.1.9 (PyPI). Needs python3 with its sqlite3 module and SQLite 3.31 or newer in it, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlalchemy==2.1.9
cat > reflect.py <<'P'
import sqlalchemy, sqlite3, warnings
from sqlalchemy import Column, Computed, Integer, MetaData, Table

warnings.simplefilter('error')

def copied(*names):
    expressions = {'list_price': 'net * 2', 'price': 'net + 1'}
    given, reflected, seen = MetaData(), MetaData(), []
    Table('item', given, Column('id', Integer, primary_key=True), Column('net', Integer),
          *(Column(name, Integer, Computed(expressions[name])) for name in names))
    for place, tables in ('first', given), ('second', reflected):
        with sqlalchemy.create_engine('sqlite:///%s-%s.db' % (names[0], place)).begin() as connection:
            tables.create_all(connection)
            connection.exec_driver_sql('INSERT INTO item (id, net) VALUES (1, 100)')
            seen.append(connection.exec_driver_sql('SELECT list_price, price FROM item').one())
            if tables is given:
                reflected.reflect(connection)
    return seen, str(reflected.tables['item'].c.price.computed.sqltext)

print('SQLAlchemy %s, SQLite %s' % (sqlalchemy.__version__, sqlite3.sqlite_version))
behind, before = copied('list_price', 'price'), copied('price', 'list_price')
for place, (seen, expression) in ('behind', behind), ('before', before):
    print('price %s list_price: list_price and price are %s and in the copy %s; price is read as %s' % (place, *seen, expression))
assert behind == ([(200, 101), (200, 200)], 'net * 2'), behind
assert before == ([(200, 101), (200, 101)], 'net + 1'), before
P
venv/bin/python reflect.py
