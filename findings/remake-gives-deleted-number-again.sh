#!/bin/sh
# AUTOINCREMENT promises that no number of a deleted row is given again (https://sqlite.org/autoinc.html). SQLite keeps the highest number
# of each table in sqlite_sequence for that. Django declares its keys with AUTOINCREMENT on SQLite, and makes a table anew when a field
# changes its type. Django 5.2.19 copies the rows and not the mark. The mark of the new table is the highest number among the rows that
# are left. When the last row is deleted and the length of another field changes, the next row takes the number of the deleted one. A
# letter or a log that names invoice 3 now names another invoice. A tool that makes a table anew must carry its row of sqlite_sequence.
# One would expect: the mark is carried over, and the next number is 4.
# Takes Django 5.2.19 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install django==5.2.19
cat > migrate.py <<'P'
import django, sqlite3
from django.conf import settings

settings.configure(DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}})
django.setup()
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState

def applied(operation, state):
    changed = state.clone()
    operation.state_forwards('shop', changed)
    with connection.schema_editor() as editor:
        operation.database_forwards('shop', editor, state, changed)
    return changed

def seen(query):
    with connection.cursor() as cursor:
        return cursor.execute(query).fetchone()

mark = "SELECT seq FROM sqlite_sequence WHERE name = 'shop_invoice'"
fields = [('id', models.BigAutoField(primary_key=True)), ('memo', models.CharField(max_length=20))]
state = applied(migrations.CreateModel('Invoice', fields), ProjectState())
invoices = state.apps.get_model('shop', 'invoice').objects
for memo in 'chair', 'table', 'lamp':
    invoices.create(memo=memo)
invoices.filter(id=3).delete()
before = seen(mark)[0]
state = applied(migrations.AlterField('invoice', 'memo', models.CharField(max_length=50)), state)
after, declared = seen(mark)[0], seen("SELECT sql FROM sqlite_master WHERE name = 'shop_invoice'")[0]
given = state.apps.get_model('shop', 'invoice').objects.create(memo='shelf').id
print('Django %s, SQLite %s' % (django.__version__, sqlite3.sqlite_version))
print('mark after invoice 3 was deleted: %d; after memo became longer: %d' % (before, after))
print('number of the next invoice: %d; declared: %s' % (given, declared))
assert (before, after, given) == (3, 2, 3), (before, after, given)
assert 'PRIMARY KEY AUTOINCREMENT' in declared and 'varchar(50)' in declared, declared
P
venv/bin/python migrate.py
