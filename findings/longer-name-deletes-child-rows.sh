#!/bin/sh
# While foreign keys are enforced, DROP TABLE deletes the rows of the table first, and ON DELETE CASCADE follows
# (https://sqlite.org/foreignkeys.html#fk_schemacommands). Within a transaction the keys cannot be switched off. Tortoise ORM has
# migrations of its own since version 1 (https://tortoise.github.io/migration.html). Version 1.1.9 enforces the keys, opens a transaction,
# and makes a table anew where the length of a field changes. A longer name for owners thus deletes every pet. The owners are all there, the
# migration is reported as OK, and foreign_key_check finds nothing. A trial on an empty file finds nothing either. The rows of other
# tables have to be counted before and after a migration too.
# Guess before the run: the pets stay, or the migration fails.
# Takes Tortoise ORM 1.1.9 with aiosqlite 0.22.1 (PyPI). Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install tortoise-orm==1.1.9 aiosqlite==0.22.1
mkdir shop
touch shop/__init__.py
cat > settings.py <<'P'
CONFIG = {'connections': {'default': 'sqlite://shop.db'}, 'apps': {'shop': {
    'models': ['shop.models'], 'default_connection': 'default', 'migrations': 'shop.migrations'}}}
P
cat > shop/models.py <<'P'
from tortoise import fields, models

class Owner(models.Model):
    id = fields.IntField(primary_key=True)
    name = fields.CharField(max_length=20)

class Pet(models.Model):
    id = fields.IntField(primary_key=True)
    name = fields.CharField(max_length=20)
    owner = fields.ForeignKeyField('shop.Owner', on_delete=fields.CASCADE)
P
cat > rows.py <<'P'
import sqlite3, sys
file = sqlite3.connect('shop.db')
if sys.argv[1] == 'fill':
    file.executescript("INSERT INTO owner VALUES (1, 'Ada'), (2, 'Ben'); INSERT INTO pet VALUES (1, 'Rex', 1), (2, 'Tom', 2), (3, 'Kit', 2);")
rows = [file.execute('SELECT count(*) FROM ' + table).fetchone()[0] for table in ('owner', 'pet')]
checks = file.execute('PRAGMA foreign_key_check').fetchall(), file.execute('PRAGMA integrity_check').fetchall()
declared = file.execute("SELECT sql FROM sqlite_master WHERE name = 'owner'").fetchone()[0].split('"name" ')[1].split(' ')[0]
print('SQLite %s, owner.name %s: owners %d, pets %d' % (sqlite3.sqlite_version, declared, *rows))
assert rows == [2, 3 if sys.argv[1] == 'fill' else 0] and checks == ([], [('ok',)]), (rows, checks)
assert declared == {'fill': 'VARCHAR(20)', 'seen': 'VARCHAR(50)'}[sys.argv[1]], declared
P
migrate() {
    PYTHONPATH=. venv/bin/tortoise -c settings.CONFIG "$@"
}
venv/bin/pip list 2>/dev/null | grep -i tortoise-orm
migrate init > log
migrate makemigrations >> log
migrate migrate >> log
venv/bin/python rows.py fill
sed -i '/^class Owner/,/^$/s/max_length=20/max_length=50/' shop/models.py
migrate makemigrations >> log
migrate migrate | tee -a log | grep OK
venv/bin/python rows.py seen
