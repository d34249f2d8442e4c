#!/bin/sh
# SQLite stores a boolean as a number, and each number but 0 is true (https://sqlite.org/datatype3.html#boolean_datatype). Many programs
# write -1 for true, and a count of 2 is true as well. A Django migration may turn a column of numbers into a BooleanField by AlterField
# (https://docs.djangoproject.com/en/5.2/ref/migration-operations/#alterfield). Django 5.2.19 copies the numbers as they are. It then reads
# True for 1 alone, and False for -1 and for 2. SQLite takes the same rows for true, so that filter(paid=True) finds an invoice whose paid is
# False, and filter(paid=False) does not find it. A row that is read and saved without a change becomes false for good. A migration to a
# boolean has to write 1 for all that is not 0.
# One would expect: -1 and 2 read as True, as the query says.
# Takes Django 5.2.19 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install django==5.2.19
cat > invoices.py <<'P'
import sqlite3, django
from django.conf import settings
settings.configure(DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'invoices.db'}})
django.setup()
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState

def apply(operation, state):
    after = state.clone()
    operation.state_forwards('shop', after)
    with connection.schema_editor() as editor:
        operation.database_forwards('shop', editor, state, after)
    return after

def stored():
    file = sqlite3.connect('invoices.db')
    numbers = [row[0] for row in file.execute('SELECT paid FROM shop_invoice ORDER BY id')]
    file.close()
    return numbers

fields = [('id', models.AutoField(primary_key=True)), ('paid', models.IntegerField())]
state = apply(migrations.CreateModel('Invoice', fields), ProjectState())
for number in 0, 1, 2, -1:
    state.apps.get_model('shop', 'Invoice').objects.create(paid=number)
state = apply(migrations.AlterField('Invoice', 'paid', models.BooleanField()), state)
invoices = state.apps.get_model('shop', 'Invoice').objects.order_by('id')
numbers = stored()
read = [invoice.paid for invoice in invoices]
found = {value: [(invoice.id, invoice.paid) for invoice in invoices.filter(paid=value)] for value in (True, False)}
for invoice in invoices:
    invoice.save()
saved = stored()
print('Django %s; stored after the migration: %s; read: %s' % (django.__version__, numbers, read))
print('number and paid of what filter(paid=True) finds: %s; filter(paid=False): %s' % (found[True], found[False]))
print('stored after each row was saved as it was read: %s' % saved)
assert numbers == [0, 1, 2, -1] and read == [False, True, False, False], (numbers, read)
assert found == {True: [(2, True), (3, False), (4, False)], False: [(1, False)]}, found
assert saved == [0, 1, 0, 0], saved
P
venv/bin/python invoices.py
