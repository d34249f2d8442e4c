#!/bin/sh
# Peewee makes STRICT tables where a model asks for them, and has AnyField for columns that keep each value as it is given
# (https://docs.peewee-orm.com/en/latest/peewee/models.html). The type ANY keeps a text of digits in a STRICT table, and turns it into a
# number in an ordinary one (https://sqlite.org/stricttables.html). Peewee 4.5.3 writes a table anew to give a column a default, and
# leaves out the words behind the last bracket. The new table is not STRICT any more. The code 007 becomes the number 7 in the copy, and a
# text goes into an INTEGER column afterwards. Nothing is said. A remake must carry the options of a table, because they decide on values.
# One would expect: the table stays STRICT and the code stays 007.
# Takes Peewee 4.5.3 (PyPI). Needs python3 with its sqlite3 module and SQLite 3.37 or newer in it, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install peewee==4.5.3
cat > migrate.py <<'P'
import peewee
from playhouse.migrate import SqliteMigrator, migrate

assert peewee.sqlite3.sqlite_version_info >= (3, 37), peewee.sqlite3.sqlite_version
database = peewee.SqliteDatabase(':memory:')
run = lambda sql: database.execute_sql(sql).fetchall()

class Part(peewee.Model):
    code = peewee.AnyField()
    stock = peewee.IntegerField()
    shelf = peewee.TextField()
    class Meta:
        database = database
        strict_tables = True

def seen():
    try:
        run("INSERT INTO part (code, stock, shelf) VALUES ('B', 'many', 'C')")
        taken = 'accepted'
    except peewee.IntegrityError as error:
        taken = str(error)
    return run("SELECT strict FROM pragma_table_list WHERE name = 'part'")[0][0], run('SELECT code FROM part WHERE id = 1')[0][0], taken

database.create_tables([Part])
Part.create(code='007', stock=5, shelf='A')
before = seen()
migrate(SqliteMigrator(database).add_column_default('part', 'shelf', 'A'))
after = seen()
print('Peewee %s, SQLite %s' % (peewee.__version__, peewee.sqlite3.sqlite_version))
print('before: strict %d, code %r, a text as stock: %s' % before)
print('after shelf got a default: strict %d, code %r, a text as stock: %s' % after)
print('declared: ' + run("SELECT sql FROM sqlite_master WHERE name = 'part'")[0][0])
assert before[:2] == (1, '007') and 'cannot store TEXT value in INTEGER column' in before[2], before
assert after == (0, 7, 'accepted'), after
P
venv/bin/python migrate.py
