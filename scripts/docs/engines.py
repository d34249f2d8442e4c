"""Writes docs/engines.md from findings/summary.tsv, which has a row for each script of its folder.

    python3 scripts/docs/engines.py findings/summary.tsv docs/engines.md
"""

import collections
import os
import sys

PAGE = """# Unexpected behaviour of engines and tools

This page says what SQLite, other tools and libraries do otherwise than one would expect, and what SchemaKit does about it; it is made from [summary.tsv](../findings/summary.tsv): `python3 scripts/docs/engines.py findings/summary.tsv docs/engines.md`.
Each name links to the script that shows the behaviour, and `make findings` runs them all.
"""

HEAD = ["script", "program", "version", "behaviour", "schemakit"]


def rows(source):
    lines = open(source, encoding="utf-8").read().splitlines()
    if not lines or lines[0].split("\t") != HEAD:
        sys.exit(f"{source}: the first line is not {' '.join(HEAD)}")
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(HEAD) or not all(cell.strip() for cell in cells):
            sys.exit(f"{source}:{number}: {len(HEAD)} cells are needed, none of them empty")
        yield cells


def main():
    source, page = sys.argv[1:]
    tables = collections.OrderedDict()
    named = collections.Counter()
    for script, program, version, behaviour, answer in rows(source):
        named[script] += 1
        cells = [cell.replace("|", "\\|") for cell in (version, behaviour, answer)]
        tables.setdefault(program, []).append(f"| {' | '.join(cells)} | [{script}](../findings/{script}.sh) |")
    folder = os.path.dirname(source) or "."
    scripts = {name[: -len(".sh")] for name in os.listdir(folder) if name.endswith(".sh")}
    wrong = [f"{name}.sh has no row" for name in sorted(scripts - set(named))]
    wrong += [f"{name} has no script" for name in sorted(set(named) - scripts)]
    wrong += [f"{name} has {count} rows" for name, count in sorted(named.items()) if count > 1]
    if wrong:
        sys.exit(f"{source}: {'; '.join(wrong)}")
    with open(page, "w", encoding="utf-8") as file:
        file.write(PAGE)
        for program, lines in tables.items():
            file.write(f"\n## {program}\n\n| Version | Behaviour | SchemaKit | Script |\n| --- | --- | --- | --- |\n")
            file.write("".join(line + "\n" for line in lines))


main()
