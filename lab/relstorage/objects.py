"""objects.py make|use|wait: keeps Python objects with their history and blobs in ZODB, whose storage is an SQLite file."""
import sys

import transaction
import ZODB
from BTrees.OOBTree import OOBTree
from persistent.mapping import PersistentMapping
from relstorage.adapters.sqlite.adapter import Sqlite3Adapter
from relstorage.options import Options
from relstorage.storage import RelStorage
from ZODB.blob import Blob
from ZODB.POSException import ConflictError

OPTIONS = Options(keep_history=True, blob_dir="blobs", shared_blob_dir=False)


def write(root, first, last):
    for number in range(first, last):
        root["tree"][f"gr\u00fcn{number}"] = PersistentMapping({"number": number, "next": root["tree"].get(f"gr\u00fcn{number - 1}")})
        blob = Blob()
        with blob.open("w") as file:
            file.write(b"blob %d " % number * 2000)
        root["blobs"][number] = blob
        root["count"] = number + 1
        transaction.get().note(f"Number {number}")
        transaction.commit()


database = ZODB.DB(RelStorage(Sqlite3Adapter("data", {}, OPTIONS), options=OPTIONS))
connection = database.open()
root = connection.root()
if sys.argv[1] == "make":
    root["tree"], root["blobs"] = OOBTree(), OOBTree()
    write(root, 0, 25)
else:
    before = root["count"]
    if sys.argv[1] == "wait":
        print("ready", flush=True)
        sys.stdin.readline()
    item, steps = root["tree"][f"gr\u00fcn{before - 1}"], 1
    while item := item["next"]:
        steps += 1
    assert steps == before == len(root["tree"]), (steps, before)
    with root["blobs"][7].open() as file:
        assert file.read() == b"blob 7 " * 2000
    write(root, before, before + 2)
    known = [entry["description"] for entry in database.undoInfo(0, 30)]
    assert f"Number {before + 1}" in known, known
    assert len(database.history(root["blobs"]._p_oid, 100)) >= 1
    root["mistake"] = before
    transaction.get().note("A mistake")
    transaction.commit()
    database.undo(database.undoInfo(0, 1)[0]["id"])
    transaction.commit()
    connection.sync()
    assert "mistake" not in root
    # Two connections change the same object, and the later one is refused.
    managers = [transaction.TransactionManager() for _ in range(2)]
    others = [database.open(manager) for manager in managers]
    for number, other in enumerate(others):
        other.root()["tree"]["gr\u00fcn3"]["number"] = 3
        other.root()["tree"]["gr\u00fcn3"][f"seen{number}"] = before
    managers[0].commit()
    try:
        managers[1].commit()
        raise SystemExit("a conflict is not found")
    except ConflictError:
        managers[1].abort()
    for other in others:
        other.close()
    connection.sync()
    assert root["tree"]["gr\u00fcn3"]["seen0"] == before
    del root["tree"][f"gr\u00fcn{before + 1}"], root["blobs"][before + 1]
    root["count"] = before + 1
    transaction.commit()
    database.pack()
    assert len(root["tree"]) == before + 1
connection.close()
database.close()
