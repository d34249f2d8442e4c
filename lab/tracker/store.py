"""store.py make|use|wait: keeps notes on documents, people and pieces of music in a store of Tracker's, and asks it in SPARQL."""
import os
import sys
import time

import gi

gi.require_version("Tracker", "3.0")
from gi.repository import Gio, Tracker  # noqa: E402

FLAGS = Tracker.SparqlConnectionFlags.FTS_ENABLE_UNACCENT


def add(store, first, last):
    for number in range(first, last):
        store.update(
            f"""INSERT DATA {{
              <urn:paper:{number}> a nfo:PaginatedTextDocument, nfo:FileDataObject ;
                nie:title "Gr\u00fcn {number}" ; nie:plainTextContent "walking to the caf\u00e9 number{number}" ; nie:keyword "key{number % 3}", "lab" ;
                nie:url "file:///lab/{number}" ; nfo:fileName "{number}.txt" ; nfo:pageCount {number} ;
                nfo:fileLastModified "2025-11-{1 + number % 28:02d}T10:00:00Z" ; nie:contentCreated "2025-01-{1 + number % 28:02d}T08:30:00+02:00" .
              <urn:artist:{number}> a nmm:Artist ; nmm:artistName "\u00c4rtist {number}" .
              <urn:piece:{number}> a nmm:MusicPiece ; nie:title "Piece {number}" ; nmm:artist <urn:artist:{number}> ; nfo:duration {number} .
            }}""",
            None,
        )


def ask(store, words):
    cursor, rows = store.query(words, None), []
    while cursor.next(None):
        rows.append(tuple(cursor.get_string(column)[0] for column in range(cursor.get_n_columns())))
    return rows


def count(store, pattern):
    return int(ask(store, f"SELECT COUNT(*) {{ {pattern} }}")[0][0])


store = Tracker.SparqlConnection.new(FLAGS, Gio.File.new_for_path("store"), Gio.File.new_for_path(os.environ["ONTOLOGY"]), None)
if sys.argv[1] == "make":
    add(store, 0, 40)
else:
    before = count(store, "?paper a nfo:PaginatedTextDocument")
    assert before >= 40, before
    if sys.argv[1] == "wait":
        print("ready", flush=True)
        sys.stdin.readline()
    assert ask(store, "SELECT nfo:pageCount(?paper) { ?paper fts:match 'number17' }") == [("17",)]
    # The tokenizer takes capitals and accents away.
    assert count(store, "?paper fts:match 'WALKING'") == before
    assert count(store, "?paper fts:match 'cafe'") == before
    assert count(store, "?paper nie:keyword 'key1'") == len([number for number in range(before) if number % 3 == 1])
    late = "?paper nfo:fileLastModified ?time FILTER (?time > '2025-11-20T00:00:00Z'^^xsd:dateTime)"
    assert count(store, late) == len([number for number in range(before) if 1 + number % 28 >= 20])
    names = ask(store, "SELECT ?name { ?artist a nmm:Artist ; nmm:artistName ?name } ORDER BY ?name")
    assert len(names) == before and names[0] == ("\u00c4rtist 0",), names[:3]
    add(store, before, before + 2)
    name = f"more{time.time_ns()}"
    store.update(f'INSERT DATA {{ <urn:{name}> a nfo:Document ; nie:title "{name}" ; nie:contentCreated "2025-11-30T00:00:00Z" }}', None)
    assert ask(store, f"SELECT ?paper {{ ?paper fts:match '{name}' }}") == [(f"urn:{name}",)]
    store.update(f'DELETE {{ <urn:{name}> nie:title ?title }} INSERT {{ <urn:{name}> nie:title "other" }} WHERE {{ <urn:{name}> nie:title ?title }}', None)
    assert ask(store, f"SELECT nie:title(?paper) {{ ?paper nie:title 'other' }}") == [("other",)]
    store.update(f"DELETE DATA {{ <urn:{name}> a rdfs:Resource }}", None)
    assert not ask(store, f"SELECT ?paper {{ ?paper fts:match '{name}' }}")
    assert count(store, "?piece nmm:artist ?artist . ?artist nmm:artistName ?name") == before + 2
store.close()
