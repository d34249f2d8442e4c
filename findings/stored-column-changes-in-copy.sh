#!/bin/sh
# A stored generated column keeps the text that was computed when its row was written (https://sqlite.org/gencol.html). SQLite 3.46.1
# turns the real number 0.1 * 3 into the text 0.3. SQLite 3.54.1 writes more digits: 0.30000000000000004. The file opens in both, and the
# old row keeps its text. A UNIQUE on the column lets the same width in a second time once the newer version writes it. A copy into a new
# table computes each row again, so that a mere remake of the table changes the text of old rows. A migration should compare the values of
# generated columns before and after it.
# One would expect: both versions write 0.3.
# Takes SQLite 3.46.1 out of apsw 3.46.1.0 and 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > copy.py <<'P'
import apsw, sys

version, step = sys.argv[1:]
assert apsw.sqlite_lib_version() == version, apsw.sqlite_lib_version()
database = apsw.Connection('bolts.db')
run = lambda sql: database.execute(sql).fetchall()
table = 'CREATE TABLE %s (id INTEGER PRIMARY KEY, width REAL, label TEXT AS (width || \' mm\') STORED UNIQUE)'
insert = 'INSERT INTO bolt (width) VALUES (0.1 * 3)'
if step == 'write':
    run(table % 'bolt')
    run(insert)
    try:
        run(insert)
        again = 'accepted'
    except apsw.ConstraintError:
        again = 'refused'
    labels = run('SELECT label FROM bolt')
    print('SQLite %s: labels %s; the same width again: %s' % (version, labels, again))
    assert (labels, again) == ([('0.3 mm',)], 'refused'), (labels, again)
else:
    run(insert)
    mixed = run('SELECT label FROM bolt ORDER BY id')
    run('DELETE FROM bolt WHERE id = 2')
    old = run('SELECT label FROM bolt')
    run(table % 'copied')
    run('INSERT INTO copied (id, width) SELECT id, width FROM bolt')
    copied = run('SELECT label FROM copied')
    print('SQLite %s: the same width again: accepted, labels %s' % (version, mixed))
    print('SQLite %s: the old row: %s; in a copy of the table: %s' % (version, old, copied))
    assert mixed == [('0.3 mm',), ('0.30000000000000004 mm',)], mixed
    assert (old, copied) == ([('0.3 mm',)], [('0.30000000000000004 mm',)]), (old, copied)
P
for step in '3.46.1 write' '3.54.1 copy'; do
  version=${step% *}
  python3 -m venv "venv$version"
  "venv$version/bin/pip" -q install "apsw==$version.0"
  "venv$version/bin/python" copy.py "$version" "${step#* }"
done
