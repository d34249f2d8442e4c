#!/bin/sh
# RENAME COLUMN fails, and changes nothing, where the new name would be ambiguous in a view or trigger
# (https://sqlite.org/lang_altertable.html#altertabrename). SQLite 3.54.1 refuses the rename where a view then finds two columns of one
# name. It does not look for a name that only comes to mean something else. A GROUP BY that named a column of the result groups by the
# renamed column from then on. A subquery that read a column of the outer query reads the one beside it. NATURAL JOIN joins by other
# columns. Each rename succeeds, the text of the view stays as it was, and its answer changes. A rename has to be followed by a comparison
# of what the views give before and after it.
# Guess before the run: all four are refused.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > rename.py <<'P'
import apsw

schema = '''CREATE TABLE author (id INTEGER PRIMARY KEY, pen TEXT); INSERT INTO author VALUES (1, 'Ada'), (2, 'Ben');
    CREATE TABLE book (id INTEGER PRIMARY KEY, writer TEXT, price INT, remark TEXT);
    INSERT INTO book VALUES (1, 'Ada', 5, 'old'), (2, 'Ada', 7, 'new'), (3, 'Ben', 9, 'Ben');'''
cases = [
    ('a join', 'SELECT pen, price FROM author JOIN book ON writer = pen', 'remark TO pen'),
    ('GROUP BY', 'SELECT upper(writer) AS name, sum(price) FROM book GROUP BY name', 'remark TO name'),
    ('a subquery', 'SELECT pen, (SELECT count(*) FROM book WHERE writer = pen) FROM author', 'remark TO pen'),
    ('NATURAL JOIN', 'SELECT pen, price FROM author NATURAL JOIN book', 'id TO number')]
answers = []
print('SQLite ' + apsw.sqlite_lib_version())
for name, select, change in cases:
    database = apsw.Connection(':memory:')
    database.execute(schema + 'CREATE VIEW v AS ' + select)
    seen = lambda: (sorted(database.execute('SELECT * FROM v').fetchall()),
                    database.execute("SELECT sql FROM sqlite_schema WHERE name = 'v'").fetchall())
    (before, text), answer = seen(), 'done'
    try:
        database.execute('ALTER TABLE book RENAME COLUMN ' + change)
    except apsw.SQLError as error:
        answer = str(error)
    after, left = seen()
    assert text == left, (text, left)
    print('%s, %s: %s: %s before, %s after' % (name, change, answer, before, after))
    answers.append((answer, before, after))
assert 'ambiguous column name' in answers[0][0] and answers[0][1] == answers[0][2], answers[0]
assert answers[1] == ('done', [('ADA', 12), ('BEN', 9)], [('ADA', 5), ('ADA', 7), ('BEN', 9)]), answers[1]
assert answers[2] == ('done', [('Ada', 2), ('Ben', 1)], [('Ada', 1), ('Ben', 1)]), answers[2]
assert answers[3][0] == 'done' and (len(answers[3][1]), len(answers[3][2])) == (2, 6), answers[3]
P
venv/bin/python rename.py
