#!/bin/sh
# csvdb turns a SQLite file into CSV files with a schema beside them, and back, so that the data can be compared line by line. Its page says
# that a BLOB is written in hexadecimal digits and comes back as it was, and offers a checksum to verify such a round trip
# (https://pypi.org/project/csvdb-cli/). csvdb 0.2.19 keeps the schema, and gives the digits back as a text: three bytes become six letters.
# A number in a column without a type becomes a text, the text \N becomes NULL, and a trigger is not there any more. The checksums of the two
# files are equal all the same, and diff finds them identical, since it compares what the CSV files would say. Whether a copy is right must
# be asked of the files, by typeof() and by the text of the schema.
# Guess before the run: the values come back, or the checksums differ.
# Takes csvdb-cli 0.2.19 (PyPI) and the sqlite3 command that it runs. Needs python3 with its sqlite3 module, and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install csvdb-cli==0.2.19
cat > rows.py <<'P'
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
if sys.argv[1] == 'first.db':
    file.executescript(r"""CREATE TABLE part (id INTEGER PRIMARY KEY, seal BLOB, size, path TEXT, stock INTEGER CHECK (stock >= 0));
        CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
        CREATE TRIGGER sold AFTER DELETE ON part BEGIN INSERT INTO log (what) VALUES (old.path); END;
        INSERT INTO part VALUES (1, x'00ff41', 7, '\N', 3);""")
row = file.execute('SELECT seal, size, path, stock FROM part').fetchone()
names = [name for name, in file.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")]
print('%s, SQLite %s: %s, %s' % (sys.argv[1], sqlite3.sqlite_version, row, names))
assert row == {'first.db': (b'\x00\xffA', 7, '\\N', 3), 'second.db': ('00ff41', '7', None, 3)}[sys.argv[1]], row
assert names == ['log', 'part'] + ['sold'] * (sys.argv[1] == 'first.db'), names
P
venv/bin/csvdb --version
venv/bin/python rows.py first.db
venv/bin/csvdb to-csvdb first.db -o first.csvdb > log 2>&1
venv/bin/csvdb to-sqlite first.csvdb -o second.db >> log 2>&1
venv/bin/python rows.py second.db
for file in first second; do
    venv/bin/csvdb checksum $file.db | tee $file.sum
done
cmp first.sum second.sum
venv/bin/csvdb diff first.db second.db | tee answer
test "$(grep -c identical answer)" = 2
