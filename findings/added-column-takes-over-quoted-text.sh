#!/bin/sh
# A word in double quotes is a name, and SQLite takes it for a text where nothing has that name (https://sqlite.org/quirks.html#dblquote).
# That is decided each time the schema is read. ADD COLUMN may give a column the name of such a word. SQLite 3.54.1 adds it, and the word
# turns from a text into the new column in a CHECK, a partial index and a generated column; the new column is NULL in old rows. The CHECK
# accepts the state that it kept out, and the UNIQUE index accepts a second open order. The entries of the index are the old ones still, so
# that a query finds an open order by it, and none in the table. The texts of the schema have not changed.
# Before a column is added, its name has to be looked for among the words in double quotes.
# Guess before the run: a text in a constraint stays a text, or the column is refused.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > add.py <<'P'
import apsw

database = apsw.Connection('shop.db')
database.execute('''CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, state TEXT CHECK (state <> "void"),
        label AS (coalesce(state, "none")));
    CREATE UNIQUE INDEX one_open ON orders (customer) WHERE state = "open";
    INSERT INTO orders (customer, state) VALUES ('Ada', 'open'), ('Ben', NULL);''')

def tried(customer, state):
    try:
        database.execute('SAVEPOINT attempt; INSERT INTO orders (customer, state) VALUES (?, ?)', (customer, state))
        answer = 'accepted'
    except apsw.ConstraintError as error:
        answer = str(error).split(' constraint')[0]
    database.execute('ROLLBACK TO attempt; RELEASE attempt')
    return answer

def seen():
    select = 'SELECT customer FROM orders %s WHERE state = "open"'
    found = [database.execute(select % way).fetchall() for way in ('INDEXED BY one_open', 'NOT INDEXED')]
    label = database.execute("SELECT label FROM orders WHERE customer = 'Ben'").fetchone()[0]
    return tried('Cleo', 'void'), tried('Ada', 'open'), *found, label

text = lambda: database.execute("SELECT sql FROM sqlite_schema WHERE name = 'one_open'").fetchone()[0]
first, old = seen(), text()
for name in 'void', 'open', 'none':
    database.execute('ALTER TABLE orders ADD COLUMN "%s" TEXT' % name)
database.close()
database = apsw.Connection('shop.db')
second = seen()
print('SQLite ' + apsw.sqlite_lib_version())
for name, answers in ('before', first), ('after', second):
    print('%s: state void: %s; a second open order: %s; open by the index: %s, by the table: %s; label: %s' % (name, *answers))
print('the text of the index is the same: %s' % (text() == old))
assert first == ('CHECK', 'UNIQUE', [('Ada',)], [('Ada',)], 'none'), first
assert second == ('accepted', 'accepted', [('Ada',)], [], None), second
assert text() == old, text()
P
venv/bin/python add.py
