#!/bin/sh
# The session extension of SQLite records what a program changes, so that another file can take it over. Where the key of a row changes, it
# records that the old row goes and a new one comes (https://sqlite.org/sessionintro.html). It compares keys byte by byte, and the table
# compares them by its collation. SQLite 3.54.1 lets UPDATE turn the key ada into Ada in a NOCASE column. The changeset of that is taken
# over by no file, not even by an exact copy of the one it was recorded in, whatever the conflict handler answers. All other changes of the
# same changeset stay out with it. The page names tables without a key as a limit, and no collation. A file that is kept in step by
# changesets needs a number for a key, and the name as a UNIQUE column beside it.
# Guess before the run: the copy has the same rows as the first file.
# Takes SQLite 3.54.1 out of apsw 3.54.1.0 (PyPI). Needs python3 and pip.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip -q install apsw==3.54.1.0
cat > send.py <<'P'
import apsw

answers = {'omit': apsw.SQLITE_CHANGESET_OMIT, 'replace': apsw.SQLITE_CHANGESET_REPLACE}

def sent(table, change, answer):
    first, second = apsw.Connection(':memory:'), apsw.Connection(':memory:')
    for file in first, second:
        file.execute("CREATE TABLE member (%s); INSERT INTO member (name, town) VALUES ('ada', 'Ulm'), ('Ben', 'Bonn')" % table)
    session = apsw.Session(first, 'main')
    session.attach()
    first.execute(change + "UPDATE member SET town = 'Kiel' WHERE name = 'Ben'")
    try:
        apsw.Changeset.apply(session.changeset(), second, conflict=lambda reason, row: answers[answer])
        result = 'done'
    except apsw.Error as error:
        result = 'refused: ' + str(error)
    rows = [file.execute('SELECT name, town FROM member ORDER BY name').fetchall() for file in (first, second)]
    return result, rows[0] == rows[1], rows[1]

print('SQLite ' + apsw.sqlite_lib_version())
case, name = "UPDATE member SET name = 'Ada' WHERE name = 'ada';", "UPDATE member SET name = 'Eve' WHERE name = 'ada';"
nocase, own = 'name TEXT COLLATE NOCASE PRIMARY KEY, town TEXT', 'id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, town TEXT'
for title, table, change in ('ada to Eve', nocase, name), ('ada to Ada', nocase, case), ('ada to Ada beside a key', own, case):
    for answer in answers:
        result, same, rows = sent(table, change, answer)
        print('%s, %s: %s, same rows: %s, the copy has %s' % (title, answer, result, same, rows))
        if title == 'ada to Ada':
            assert (result, rows) == ('refused: SQL logic error', [('ada', 'Ulm'), ('Ben', 'Bonn')]), (result, rows)
        else:
            assert result == 'done' and same, (result, rows)
P
venv/bin/python send.py
