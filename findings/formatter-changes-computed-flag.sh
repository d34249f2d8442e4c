#!/bin/sh
# SQLite has no type for truth: a condition is a number, and any number but 0 counts as true (https://sqlite.org/lang_expr.html#booleanexpr).
# The bits of flags & 4 are thus 4 or 0. CASE WHEN flags & 4 THEN TRUE ELSE FALSE END makes 1 of that. sqlfluff corrects the style of SQL
# files, and its rule ST02 calls such a CASE needless (https://docs.sqlfluff.com/en/stable/reference/rules.html). "sqlfluff fix" of
# sqlfluff 4.5.0 writes coalesce(flags & 4, FALSE) for it in a schema, also when it is told that the dialect is sqlite. The column then
# computes 4 instead of 1, and a query for 1 finds no row. The correction is reported as one of style. A schema that went through a formatter
# is another schema until its values are compared.
# Guess before the run: the fix keeps the values in the dialect that it was given.
# Takes sqlfluff 4.5.0 (PyPI). Needs python3 with its sqlite3 module and SQLite 3.31 or newer in it, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install sqlfluff==4.5.0
cat > before.sql <<'Q'
CREATE TABLE parcel (
    id INTEGER PRIMARY KEY,
    flags INTEGER,
    fragile INTEGER AS (CASE WHEN flags & 4 THEN TRUE ELSE FALSE END)
);
CREATE VIEW care AS
SELECT id
FROM parcel
WHERE fragile = 1;
Q
cp before.sql after.sql
venv/bin/sqlfluff --version
venv/bin/sqlfluff fix --dialect sqlite after.sql > log 2>&1
cat > read.py <<'P'
import sqlite3

print('SQLite ' + sqlite3.sqlite_version)
for name, part, flag, found in ('before.sql', 'CASE WHEN', 1, [(1,)]), ('after.sql', 'coalesce(flags & 4, FALSE)', 4, []):
    text = open(name).read()
    file = sqlite3.connect(':memory:')
    file.executescript(text + 'INSERT INTO parcel (id, flags) VALUES (1, 6), (2, 3), (3, NULL);')
    seen = file.execute('SELECT id, fragile FROM parcel ORDER BY id').fetchall(), file.execute('SELECT id FROM care').fetchall()
    print('%s: %s; parcels: %s; care: %s' % (name, text.splitlines()[3].strip(), *seen))
    assert part in text and seen == ([(1, flag), (2, 0), (3, 0)], found), (text, seen)
P
venv/bin/python read.py
grep 'fixable linting' log
