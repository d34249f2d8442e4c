"""The page of the documentation, from the results that are kept."""
import json
import re
import sys

HEAD = """# Files of real programs

`make lab` has each of these programs make a file by ordinary use, without a window, and does the following with a fresh copy of it for each
row. `lab/run --page` writes this page from the results; [`lab/`](../lab) holds what each program is given to do.

| Step | What is done |
| --- | --- |
| look | `inspect`; then `check` and `plan` against that SQL, and against the file itself, have nothing to do |
| lint, doctor | what they find is what was judged by hand, object by object, and written down with a reason |
| columns | the three largest tables get a column and an index, and lose both again; where another column would break the program, they get a CHECK instead |
| rules | these tables get a CHECK on a column that was there, and a column with NOT NULL and a default |
| copies | these tables get a column with a computed default, for which they are copied |
| rebuild | every table gets a CHECK by `--strategy rebuild` |
| positional | tables into which the program inserts without naming columns get a column: the program fails, and works where that is undone before |
| reader | the change of columns, while another process reads in a transaction |
| running | the change of columns, while the program itself has the file open, and goes on with it |

Each change is planned, applied, checked and undone. After each of these, all rows are compared with those before by another program, value by
value with its class, and so are columns, objects, settings and the answers of `integrity_check` and `foreign_key_check`; then the program reads
its file and writes more. What is refused is tried again in the way that the last column names. A dash means that nothing is refused.

"""
# Sentences of schemactl name the files by their whole paths.
PATHS = re.compile(r"/\S*/\.build-lab/(?:results|work/[^/]*|made/[^/]*)/")

JUDGED = """
## What lint and doctor find

| Program | File | Found | Objects | Judged by hand |
| --- | --- | --- | --- | --- |
"""


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def line(cells):
    return "| " + " | ".join(map(cell, cells)) + " |\n"


def findings(program, file):
    """What lint and doctor find there, with the judgement."""
    for command in ("lint", "doctor"):
        for item in file.get(command, []):
            count = item.get("count", len(item.get("objects", [])))
            yield [program.name, f"`{file['path']}`", f"{command}: [{item['code']}](codes.md)", count, item["reason"]]


def refused(file):
    told = []
    for name, step in file["steps"].items():
        if step["outcome"] == "refused":
            codes = f", {', '.join(step['codes'])}" if step["codes"] else ""
            said = f"exit code {step['exit']}{codes}: {PATHS.sub('', step['sentence'])}" if step["exit"] is not None else step["sentence"]
            told.append((f"{step['reason']} ({said})", step["go_on"], name))
    merged = {}
    for reason, go_on, name in told:
        merged.setdefault((reason, go_on), []).append(name)
    return [f"{', '.join(names)}: {reason} To go on: {go_on}" for (reason, go_on), names in merged.items()]


def without_names(declared):
    if "positional" not in declared:
        return []
    tables = ", ".join(f"`{table}`" for table in declared["positional"])
    return [f"Another column in {tables}: the program inserts without naming columns, and fails. To go on: `undo` before it writes, or add none there."]


def row(program, result, file, declared):
    held = [name for name, step in file["steps"].items() if step["outcome"] == "held"]
    otherwise = [f"{name}: {step['sentence']}" for name, step in file["steps"].items() if step["outcome"] == "otherwise"]
    if otherwise:
        print(f"lab/run: {program.name}: otherwise than expected: {otherwise[0]}", file=sys.stderr)
    facts = file["facts"]
    size = f"{facts['tables']} table{'s' * (facts['tables'] != 1)}, {facts['rows']:,} rows" if facts else "not read"
    waits = [step["sentence"] for name, step in file["steps"].items() if name in ("reader", "running") and step["outcome"] == "held"]
    against = refused(file) + without_names(declared) + [f"**otherwise than expected:** {sentence}" for sentence in otherwise]
    cells = [
        f"{program.name} {result['version']}, {result['source']}",
        f"`{file['path']}`, {size}. {file['special']}",
        "; ".join([", ".join(held), *waits]),
        " ".join(against) or "–",
    ]
    return line(cells)


def write(path, programs):
    """Writes the page; programs without a result, or with one that is otherwise than expected, make the exit code 1."""
    text = HEAD + "| Program | Its file | What holds | What is refused, and how to go on |\n| --- | --- | --- | --- |\n"
    judged = ""
    code = 0
    for program in programs:
        kept = program.results / f"{program.name}.json"
        if not kept.exists():
            print(f"lab/run: {program.name} has no result yet", file=sys.stderr)
            text += line([f"{program.name} {program.version}, {program.declared['source']}", "was not run", "", ""])
            code = 1
            continue
        result = json.loads(kept.read_text())
        code = code if result["as_expected"] else 1
        if "unavailable" in result:
            text += line([f"{program.name} {result['version']}, {result['source']}", f"cannot be had: {result['unavailable']}", "", ""])
        for file, declared in zip(result["files"], program.declared["file"]):
            text += row(program, result, file, declared)
            judged += "".join(map(line, findings(program, declared)))
    path.write_text(text + JUDGED + judged)
    return code
