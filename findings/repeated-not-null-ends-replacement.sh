#!/bin/sh
# NOT NULL may say what happens to a NULL: ON CONFLICT REPLACE writes the default in its place, and ON CONFLICT IGNORE leaves the row out
# (https://sqlite.org/lang_conflict.html). Since 3.53 SQLite can put NOT NULL on a column that exists, with such a clause or without one
# (https://sqlite.org/lang_altertable.html). SQLite 3.54.1 takes SET NOT NULL for a column that is NOT NULL already, and writes the plain form
# over what stands there. The clause is gone, and the statement succeeds. A program that has always sent NULL for a missing number, and
# found 0, gets an error from then on. An import that left bad rows out stops at the first one, and its good rows are not inserted
# either. A migration that repeats a rule to be sure of it has to look at the text of the column first.
# One would expect: a statement that asks for what is there changes nothing.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > repeat.py <<'P'
import apsw
file = apsw.Connection(':memory:')

def inserted():
    file.execute('SAVEPOINT trial')
    try:
        file.execute("INSERT INTO stock (name, number) VALUES ('bolts', 3), ('nuts', NULL), ('pins', 5)")
        return file.execute('SELECT name, number FROM stock').fetchall()
    except apsw.ConstraintError as error:
        return str(error)
    finally:
        file.execute('ROLLBACK TO trial; RELEASE trial')

refused = 'NOT NULL constraint failed: stock.number'
expected = {'REPLACE': [('bolts', 3), ('nuts', 0), ('pins', 5)], 'IGNORE': [('bolts', 3), ('pins', 5)]}
print('SQLite %s' % apsw.sqlite_lib_version())
for rule in expected:
    file.execute('CREATE TABLE stock (name TEXT, number INTEGER NOT NULL ON CONFLICT %s DEFAULT 0)' % rule)
    before = inserted()
    file.execute('ALTER TABLE stock ALTER COLUMN number SET NOT NULL')
    after, text = inserted(), file.execute('SELECT sql FROM sqlite_schema').get
    print('%s: before %s; after %s; %s' % (rule, before, after, text))
    assert before == expected[rule] and after == refused, (before, after)
    assert text.endswith('number INTEGER DEFAULT 0 NOT NULL)'), text
    file.execute('DROP TABLE stock')
P
venv/bin/python repeat.py
