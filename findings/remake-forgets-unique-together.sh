#!/bin/sh
# SQLite changes the length of a column only by a new table, to which every UNIQUE and every index of the old one must be carried
# (https://sqlite.org/lang_altertable.html#otheralter). Tortoise ORM has migrations of its own since version 1
# (https://tortoise.github.io/migration.html). Version 1.1.9 declares the unique_together of a model when it creates the table, and leaves
# it out when it makes the table anew because the length of another field changed. The index that the model asks for is gone as well. A seat
# is booked twice from then on. The next makemigrations finds nothing to do, since it compares the models with its migrations and never with
# the file. What a migration tool remembers is no proof of what the file has.
# Guess before the run: what the model declares is there after each migration.
# Takes Tortoise ORM 1.1.9 with aiosqlite 0.22.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install tortoise-orm==1.1.9 aiosqlite==0.22.1
mkdir hall
touch hall/__init__.py
cat > settings.py <<'P'
CONFIG = {'connections': {'default': 'sqlite://hall.db'}, 'apps': {'hall': {
    'models': ['hall.models'], 'default_connection': 'default', 'migrations': 'hall.migrations'}}}
P
cat > hall/models.py <<'P'
from tortoise import fields, models

class Booking(models.Model):
    id = fields.IntField(primary_key=True)
    line = fields.IntField()
    seat = fields.IntField()
    guest = fields.CharField(max_length=20, db_index=True)
    note = fields.CharField(max_length=20, null=True)

    class Meta:
        unique_together = (('line', 'seat'),)
P
cat > book.py <<'P'
import sqlite3, sys
file = sqlite3.connect('hall.db')
keys = [(['plain', 'unique'][unique], [row[2] for row in file.execute('PRAGMA index_info("%s")' % name)])
        for _, name, unique, *_ in file.execute('PRAGMA index_list(booking)').fetchall()]
taken = []
for guest in 'Ada', 'Ben':
    try:
        file.execute('INSERT INTO booking (line, seat, guest) VALUES (7, 12, ?)', (guest,))
        taken.append(guest)
    except sqlite3.IntegrityError as error:
        assert str(error) == 'UNIQUE constraint failed: booking.line, booking.seat', error
file.rollback()
print('%s: indexes %s; seat 12 in line 7 is taken by %s' % (sys.argv[1], keys, ' and '.join(taken)))
expected = {'before': (2, ['Ada']), 'after': (0, ['Ada', 'Ben'])}[sys.argv[1]]
assert (len(keys), taken) == expected, (keys, taken)
P
migrate() {
    PYTHONPATH=. venv/bin/tortoise -c settings.CONFIG "$@"
}
venv/bin/pip list 2>/dev/null | grep -i tortoise-orm
migrate init > log
migrate makemigrations >> log
migrate migrate >> log
venv/bin/python book.py before
sed -i '/note/s/max_length=20/max_length=50/' hall/models.py
migrate makemigrations >> log
migrate migrate | tee -a log | grep OK
venv/bin/python book.py after
migrate makemigrations | tee again
grep -qi 'no changes' again
