"""cards.py make|use|wait: keeps cards with Anki's own library: adds notes, answers cards, searches, renames, and checks the collection."""
import sys
import time

from anki.collection import Collection

FRONTS = ["Gr\u00fcn {0}", "{0}", "{0}.5", "1e{0}", "  {0}", "Caf\u00e9 <b>{0}</b>"]


def add(collection, deck, first, count):
    kind = collection.models.by_name("Basic (and reversed card)")
    for number in range(first, first + count):
        note = collection.new_note(kind)
        # Anki keeps the first field in a column that is an integer where the text looks like one, to sort by it.
        note["Front"] = FRONTS[number % len(FRONTS)].format(number)
        note["Back"] = f"Back of {number}"
        note.tags = ["Lab", f"Lab::\u00c4rger{number % 3}"]
        collection.add_note(note, deck)


def answer(collection, deck, count):
    collection.decks.select(deck)
    for number in range(count):
        card = collection.sched.getCard()
        if not card:
            return number
        collection.sched.answerCard(card, 1 + number % 4)
    return count


def checked(collection):
    words, sound = collection.fix_integrity()
    assert sound, words


collection = Collection("collection.anki2")
try:
    deck = collection.decks.id("Lab::\u00c4rger")
    if sys.argv[1] == "make":
        add(collection, deck, 0, 60)
        assert answer(collection, deck, 30) == 30
        collection.decks.id("Lab::\u00e4hnlich")
        collection.tags.rename("Lab::\u00c4rger2", "Lab::Other")
        checked(collection)
    else:
        before = collection.note_count()
        assert before >= 60
        if sys.argv[1] == "wait":
            print("ready", flush=True)
            sys.stdin.readline()
        # Names and tags are the same in capitals, also beyond ASCII: this is the collation that only Anki has.
        assert collection.decks.id("lab::\u00e4RGER", create=False) == deck
        assert len(collection.find_notes("deck:LAB::\u00e4rger")) == before
        assert len(collection.find_notes("tag:lab::\u00e4RGER0")) >= 20
        assert len(collection.find_notes("front:1")) == 1
        name = f"L\u00f6schen {before} {time.time_ns()}"
        add(collection, deck, before, 3)
        extra = collection.decks.id(name)
        add(collection, extra, before + 3, 2)
        answer(collection, extra, 2)
        assert collection.note_count() == before + 5
        numbers = collection.find_notes("back:*of*", order="n.sfld collate nocase")
        assert len(numbers) == before + 5
        collection.decks.rename(extra, name + " more")
        collection.remove_notes(collection.find_notes(f'deck:"{name} more"'))
        collection.decks.remove([extra])
        collection.undo()
        collection.redo()
        assert collection.note_count() == before + 3
        collection.tags.set_collapsed("Lab", before % 2 == 0)
        collection.set_config("lab", {"before": before})
        assert collection.get_config("lab") == {"before": before}
        kind = collection.models.by_name("Cloze")
        kind["css"] += "\n/* gr\u00fcn */"
        collection.models.update_dict(kind)
        checked(collection)
finally:
    collection.close()
