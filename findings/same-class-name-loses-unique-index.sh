#!/bin/sh
# Indexes of SQLite share one namespace with each other, whatever their tables, and CREATE INDEX IF NOT EXISTS does nothing where the
# name is taken (https://sqlite.org/lang_createindex.html). Peewee 4.5.3 names the index of a field after the model's class, not after
# its table, and makes indexes with IF NOT EXISTS. Two modules with a class Item each, for two tables, ask for one index name. The
# second table is made without its unique index, create_tables() succeeds, and the table takes the same code twice. A check that a schema
# is complete must compare what an index belongs to, since its name alone exists. Meta.legacy_table_names = False helps.
# Guess before the run: each table has its index, or the second name is an error.
# Takes Peewee 4.5.3 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install peewee==4.5.3
cat > create.py <<'P'
import peewee

def made(**options):
    database, models = peewee.SqliteDatabase(':memory:'), []
    for table in 'shop_item', 'stock_item':
        meta = type('Meta', (), dict(database=database, table_name=table, **options))
        models.append(type('Item', (peewee.Model,), {'Meta': meta, 'code': peewee.CharField(unique=True), '__module__': table}))
    database.create_tables(models)
    indexes = database.execute_sql("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' ORDER BY name").fetchall()
    accepted = []
    for model in models:
        model.create(code='A1')
        try:
            model.create(code='A1')
            accepted.append('twice')
        except peewee.IntegrityError:
            accepted.append('once')
    return indexes, accepted

print('Peewee %s, SQLite %s' % (peewee.__version__, peewee.sqlite3.sqlite_version))
legacy, other = made(), made(legacy_table_names=False)
print('as is: indexes %s; A1 goes in %s' % legacy)
print('legacy_table_names = False: indexes %s; A1 goes in %s' % other)
assert legacy == ([('item_code', 'shop_item')], ['once', 'twice']), legacy
assert other == ([('shop_item_code', 'shop_item'), ('stock_item_code', 'stock_item')], ['once', 'once']), other
P
venv/bin/python create.py
