"""Writes the pages of docs/commands from the help of schemactl: one for each command, and one with the options they share.

    python3 scripts/docs/commands.py PATH-OF-SCHEMACTL FOLDER

An option that several commands explain in the same words stands on options.md alone; the others stand with their command.
"""

import collections
import json
import pathlib
import subprocess
import sys

# Where the documents say more about a command than its help does.
MORE = {
    "plan": ["Consent", "Renames", "Hints in comments", "The way a table is changed", "Saved plans", "Scripts for the shell"],
    "apply": ["Consent", "Going back", "Copies", "Proof of the copied rows", "Rehearsals", "Locks", "Progress"],
    "undo": ["Going back", "Copies"],
    "history": ["Going back"],
    "inspect": ["Models from a database"],
}
PAGES = {
    "check": [("CI", "ci.md")],
    "lint": [("Findings", "lint.md")],
    "doctor": [("Findings", "lint.md")],
    "migrations": [("Recorded migrations", "migrations.md")],
    "test": [("Testing upgrades", "testing-upgrades.md#from-any-language")],
    "fleet": [("Many databases", "fleet.md")],
}


def anchor(heading):
    return heading.lower().replace(" ", "-")


def options(command):
    """The arguments of a command, a flag and its opposite as one."""
    found = []
    for argument in command.get("arguments", []):
        if not argument["shouldDisplay"]:
            continue
        text = " ".join(argument.get("abstract", "").split())
        values = argument.get("allValues")
        if values:
            text += f" Values: {', '.join(f'`{value}`' for value in values)}."
        if argument.get("defaultValue") and argument["kind"] != "flag":
            text += f" Default: `{argument['defaultValue']}`."
        value = f"<{argument['valueName']}>"
        if argument["kind"] == "positional":
            found.append((value if not argument["isOptional"] else f"[{value}]", text))
            continue
        names = ", ".join(("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"])
        if argument["kind"] == "option":
            names += " " + value
        if found and names == "--no-" + found[-1][0][2:] and text == found[-1][1]:
            found[-1] = (f"{found[-1][0]}, {names}", text)
        else:
            found.append((names, text))
    return found


def leaves(commands, prefix=""):
    """The commands that do something, each with its words."""
    for command in commands:
        words = prefix + command["commandName"]
        yield from leaves(command["subcommands"], words + " ") if command.get("subcommands") else [(words, command)]


def shared(commands):
    """Options in the same words in several commands, with those that take them: of each option the most frequent words."""
    takers = collections.defaultdict(list)
    for words, command in commands:
        for option in options(command):
            if option[0].startswith("-"):
                takers[option].append(words)
    result = {}
    for option, users in takers.items():
        others = [len(them) for other, them in takers.items() if other != option and other[0] == option[0]]
        if len(users) > 1 and len(users) > max(others, default=0):
            result[option] = users
    return result


def cell(text):
    return text.replace("|", "\\|")


def table(head, rows):
    return [f"| {head} | Meaning |", "| --- | --- |"] + [f"| `{cell(name)}` | {cell(text)} |" for name, text in rows] + [""]


def section(words, command, common, every):
    """What a command does, and what it takes."""
    own = options(command)
    positional = [name for name, _ in own if not name.startswith("-")]
    lines = [command["abstract"], "", "```text", " ".join(["schemactl", words, *positional, "[options]"]), "```", ""]
    for paragraph in command.get("discussion", "").split("\n\n"):
        lines += [" ".join(paragraph.split()), ""] if paragraph.strip() else []
    if positional:
        lines += table("Argument", [option for option in own if not option[0].startswith("-")])
    alone = [option for option in own if option[0].startswith("-") and option not in common]
    if alone:
        lines += table("Option", alone)
    names = [name.split()[0].rstrip(",") for name, text in own if len(common.get((name, text), every)) < len(every)]
    listed = f"It shares {', '.join(f'`{name}`' for name in names)} with other commands, and takes" if names else "It takes"
    lines += [f"{listed} what every command takes: see [shared options](options.md).", ""]
    return lines


def footer(name):
    links = [(heading, f"command-line.md#{anchor(heading)}") for heading in MORE.get(name, []) + ["Exit codes"]]
    links += PAGES.get(name, [])
    listed = ", ".join(f"[{text}](../{target})" for text, target in links)
    return [f"More: {listed}.", "", "This page is made from the program's help by `make command-pages`."]


def pages(root):
    commands = [command for command in root["subcommands"] if command["commandName"] not in ("help", "options")]
    every = list(leaves(commands))
    common = shared(every)
    for command in commands:
        name = command["commandName"]
        lines = [f"# schemactl {name}", ""]
        if command.get("subcommands"):
            lines += [command["abstract"], ""]
            lines += [" ".join(command.get("discussion", "").split()), ""]
            for words, inner in leaves(command["subcommands"], name + " "):
                lines += [f"## {words}", ""] + section(words, inner, common, every)
        else:
            lines += section(name, command, common, every)
        yield name, lines + footer(name)
    lines = ["# Options of several commands", "", "| Option | Meaning | Taken by |", "| --- | --- | --- |"]
    for (name, text), users in common.items():
        takers = "every command" if len(users) == len(every) else ", ".join(f"`{user}`" for user in users)
        lines.append(f"| `{cell(name)}` | {cell(text)} | {takers} |")
    named = ", ".join(f"[{command['commandName']}]({command['commandName']}.md)" for command in commands)
    lines += ["", f"The commands: {named}.", ""]
    yield "options", lines + ["This page is made from the program's help by `make command-pages`."]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    for name, lines in pages(json.loads(dump)["command"]):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
