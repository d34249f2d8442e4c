"""Writes docs/evidence.md from docs/soak.tsv.

    python3 scripts/docs/evidence.py docs/soak.tsv docs/evidence.md
"""

import collections
import sys

PAGE = """# Evidence

This page is made from [soak.tsv](soak.tsv), which has the seeds of every run: `python3 scripts/docs/evidence.py docs/soak.tsv docs/evidence.md`.

## What was run

A file is *refused* where the plan needs consent or the rows do not fit; in random pairs and agreement a second judge confirms each refusal.
A value that was lost or differed, or an answer that was wrong, ended the run until it was mended: the counts are of runs without any.

| What | SQLite | Files | Applied | Refused | Last run | On |
| --- | --- | --- | --- | --- | --- | --- |
%s

* **Pairs** lead any random schema to any other, by each strategy: `make soak`.
* **Mistreated** files hold what their schema forbids, such as text under INTEGER or index entries that are missing: `make mistreated`.
* **Agreement** asks whether a plan that is shown as ready is carried out, and a refused one fails by force: `make agreement`.
* **Simulated** changes run beside other programs, under faults: `make simulate`.

## The simulation

```sh
make simulate SEED=1 STEPS=1000000
make simulate SEED=3437 SEEDS=1
```

One seed decides everything. It draws:

* two schemas with rows, and the strategy that leads from one to the other;
* the entry: a change, one that was examined before, one of a saved plan, recorded migrations, one inside a transaction of the program,
  a dry run, a copy online, expand and contract, a change that is undone, an undo that is disturbed;
* journal mode, page size, cache and auto_vacuum;
* one or two programs that change the file, and up to five others: writers of the old and of the new schema, a reader, a checkpointer;
* the program that goes on after each operation on a file, since one thread runs at a time;
* faults: the machine stops, and writes that were not synced are lost, reordered or torn; the disk is full, fails once or is gone; a lock
  or memory is not given; a statement is interrupted; the clock jumps.

Files are in memory and time is virtual, so that no sleep takes time. SQLite alone judges the file afterwards:

* it is sound, and wholly old or wholly new;
* every acknowledged write of the other programs is there, once, and nothing that nobody wrote;
* a change that said it was done is there;
* the change, tried again in peace, arrives, needs no further step and leaves nothing of its own;
* an undo gives back schema and rows, with their types, but for what it says beforehand, in the columns and in as many rows as it says.

A seed that fails shrinks, and prints its schemas, rows, programs and faults. The last line of a run has a hash of everything that was
observed. It is the same in debug and release builds and in every checkout, with the same SQLite. `make test` runs 200 seeds, and shows
that a disk which forgets its syncs is found out.

**Not simulated:** real disks and network file systems, memory-mapped files, attached databases, fleets, servers, several threads within one
connection, and rows that break their own schema, which the mistreated files have.
"""

NAMES = {"auto": "pairs", "alter": "pairs", "rebuild": "pairs", "mistreated": "mistreated", "agreement": "agreement",
         "simulated": "simulated"}


def main():
    source, page = sys.argv[1:]
    sums = collections.OrderedDict()
    for line in open(source, encoding="utf-8").read().splitlines()[1:]:
        date, commit, version, kind, _, files, applied, refused = line.split("\t")
        row = sums.setdefault((NAMES[kind], version), [0, 0, 0, "", ""])
        for index, number in enumerate((files, applied, refused)):
            row[index] += int(number)
        if date >= row[3]:
            row[3:] = [date, commit]
    order = list(dict.fromkeys(NAMES.values()))
    versions = lambda version: [int(part) for part in version.split(".")]
    lines = [
        f"| {name} | {version} | {row[0]:,} | {row[1]:,} | {row[2]:,} | {row[3]} | `{row[4]}` |"
        for (name, version), row in sorted(sums.items(), key=lambda item: (order.index(item[0][0]), versions(item[0][1])))
    ]
    with open(page, "w", encoding="utf-8") as file:
        file.write(PAGE % "\n".join(lines))


main()
