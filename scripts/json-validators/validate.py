"""Holds outputs of schemactl against the schemas of docs/schemas, and SARIF and JUnit against the published ones.

Usage: validate.py SCHEMAS OUTPUTS TOOLS. OUTPUTS has a folder for each kind: plan/one.json is held against
plan.schema.json, sarif/one.json and junit/one.xml against what scripts/json-validators.sh put into TOOLS. Prints a report
as JSON, a list of sentences under each heading; all lists are empty where everything is as it should be, but that of words.
"""

import copy
import json
import pathlib
import sys

import jsonschema
import referencing.jsonschema
import xmlschema

DRAFT = jsonschema.Draft202012Validator


OWN = "#/$defs/"


def resolved(schema, root):
    """What a reference into the same schema stands for; others are left alone."""
    while schema.get("$ref", "").startswith(OWN):
        schema = root["$defs"][schema["$ref"].removeprefix(OWN)]
    return schema


def branches(schema, root):
    """The schemas of a choice, or the only one there is."""
    return [(part["$ref"], resolved(part, root)) for part in schema.get("oneOf", []) if "$ref" in part]


def objects(schema, path=""):
    """Every part of a schema that describes an object, with its place."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and not any("$ref" in part for part in schema.get("oneOf", [])):
            yield path, schema
        for key, part in schema.items():
            yield from objects(part, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from objects(part, f"{path}/{index}")


def flaws(name, schema):
    """What keeps a schema from being strict and explained."""
    if schema.get("$schema") != DRAFT.META_SCHEMA["$id"]:
        yield f"{name} does not say that it is of draft 2020-12"
    for _, whole in branches(schema, schema) or [("", schema)]:
        version = 1 if name.startswith("snapshot.") else 2
        if whole["properties"].get("formatVersion", {}).get("const") != version or "formatVersion" not in whole["required"]:
            yield f"{name} does not demand formatVersion {version}"
    for path, part in objects(schema):
        if part.get("additionalProperties") is not False:
            yield f"{name}{path} takes fields that it does not know"
        if "required" not in part or not set(part["required"]) <= set(part["properties"]):
            yield f"{name}{path} does not say which of its fields are there"
        for field, value in part["properties"].items():
            if not value.get("description", "").endswith("."):
                yield f"{name}{path}: {field} is not explained"
            optional = field not in part["required"]
            if optional and "absent" not in value["description"].lower():
                yield f"{name}{path}: {field} may be absent and does not say when"


def places(value, schema, root, path=(), place="$"):
    """Every value of a document, with the path to it, its place in the schema, and its schema."""
    if schema.get("$ref", "").startswith(OWN):
        place = schema["$ref"]
    schema = resolved(schema, root)
    for name, branch in branches(schema, root):
        if branch["properties"]["event"]["const"] == value["event"]:
            place, schema = name, branch
    yield path, place, value, schema
    if isinstance(value, dict):
        for field, part in value.items():
            if field in schema.get("properties", {}):
                yield from places(part, schema["properties"][field], root, path + (field,), f"{place}.{field}")
    elif isinstance(value, list) and "items" in schema:
        for index, part in enumerate(value):
            yield from places(part, schema["items"], root, path + (index,), f"{place}[]")


def changed(document, path, change):
    """A copy of a document in which the value at a path is another."""
    if not path:
        return change(copy.deepcopy(document))
    result = copy.deepcopy(document)
    parent = result
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = change(parent[path[-1]])
    return result


def without(field):
    return lambda value: {key: part for key, part in value.items() if key != field}


def other_type(value):
    if isinstance(value, str):
        return 7
    if isinstance(value, (bool, int)):
        return str(value)
    return [] if isinstance(value, dict) else {}


def damages(value, schema):
    """Ways of making a value wrong, each with a name."""
    yield "another type", lambda value: other_type(value)
    if isinstance(value, dict) and "properties" in schema:
        yield "an unknown field", lambda value: {**value, "unknown": 1}
        for field in schema["required"]:
            yield f"no {field}", without(field)
    if "enum" in schema or "const" in schema:
        yield "an unknown word", lambda value: "no such word"
    if schema.get("type") == "integer" and "minimum" in schema:
        yield "a number below the least", lambda value: schema["minimum"] - 1


def main(schema_folder, output_folder, tool_folder):
    report = {key: [] for key in ["schemas", "outputs", "unseen", "accepted", "words", "sarif", "junit"]}
    shared, listed = {}, {}
    # That of schemactl.toml is about a file that people write, in the draft that editors know.
    files = sorted(file for file in pathlib.Path(schema_folder).glob("*.schema.json") if ".toml." not in file.name)
    registry = referencing.Registry().with_resources(
        (schema["$id"], referencing.jsonschema.DRAFT202012.create_resource(schema))
        for schema in (json.loads(file.read_text()) for file in files))
    fields, words = set(), set()
    for file in files:
        schema = json.loads(file.read_text())
        kind = file.name.removesuffix(".schema.json")
        try:
            DRAFT.check_schema(schema)
        except jsonschema.SchemaError as error:
            report["schemas"].append(f"{file.name} is no schema: {error.message}")
            continue
        report["schemas"] += flaws(file.name, schema)
        for name, part in schema.get("$defs", {}).items():
            if shared.setdefault(name, part) != part:
                report["schemas"].append(f"{file.name}: {name} is not what the other schemas have")
        validator = DRAFT(schema, registry=registry)
        damaged = set()
        # The smallest that has a field is damaged, which takes the least time.
        documents = sorted(pathlib.Path(output_folder, kind).glob("*.json"), key=lambda file: file.stat().st_size)
        if not documents:
            report["unseen"].append(f"{kind}: no output")
        for path in documents:
            document = json.loads(path.read_text())
            for error in validator.iter_errors(document):
                report["outputs"].append(f"{kind}/{path.name}: {error.json_path}: {error.message[:300]}")
            for where, place, value, part in places(document, schema, schema):
                fields.add(named(kind, place))
                if "enum" in part:
                    words.add((named(kind, place), value))
                if place not in damaged:
                    damaged.add(place)
                    for damage, change in damages(value, part):
                        if validator.is_valid(changed(document, where, change)):
                            report["accepted"].append(f"{kind}: {place} with {damage}")
        listed |= {named(kind, place): part for place, part in known(schema)}
    for place, part in listed.items():
        if place not in fields:
            report["unseen"].append(place)
        report["words"] += [f"{place}: {word}" for word in part.get("enum", []) if (place, word) not in words]
    known_kinds = {file.name.removesuffix(".schema.json") for file in files}
    for folder in pathlib.Path(output_folder).iterdir():
        if folder.name not in known_kinds | {"sarif", "junit"}:
            report["outputs"].append(f"{folder.name} has no schema")
    report["sarif"] = sarif(output_folder, tool_folder)
    report["junit"] = junit(output_folder, tool_folder)
    print(json.dumps(report, indent=1, ensure_ascii=False))


def named(kind, place):
    """A place with its kind of document; what several kinds share is one place."""
    return place if place.startswith("#/$defs/") else f"{kind}: {place}"


def known(root):
    """Every place of a schema that a document can fill."""
    seen = set()

    def walk(schema, place):
        if schema.get("$ref", "").startswith(OWN):
            place = schema["$ref"]
        if place in seen:
            return
        seen.add(place)
        schema = resolved(schema, root)
        parts = branches(schema, root)
        for name, _ in parts:
            yield from walk({"$ref": name}, name)
        if parts:
            return
        yield place, schema
        for field, part in schema.get("properties", {}).items():
            yield from walk(part, f"{place}.{field}")
        if "items" in schema:
            yield from walk(schema["items"], f"{place}[]")

    return list(walk(root, "$"))


def sarif(outputs, tools):
    schema = json.loads(pathlib.Path(tools, "sarif-2.1.0.json").read_text())
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    problems = []
    for file in sorted(pathlib.Path(outputs, "sarif").glob("*.json")):
        document = json.loads(file.read_text())
        problems += [f"{file.name}: {error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]
        if validator.is_valid({**document, "version": "2.0.0"}) or validator.is_valid({**document, "unknown": 1}):
            problems.append(f"{file.name}: the schema takes anything")
    return problems


def junit(outputs, tools):
    schema = xmlschema.XMLSchema10(str(pathlib.Path(tools, "junit-10.xsd")))
    problems = []
    for file in sorted(pathlib.Path(outputs, "junit").glob("*.xml")):
        text = file.read_text()
        problems += [f"{file.name}: {error.path}: {error.reason}" for error in schema.iter_errors(text)]
        if schema.is_valid(text.replace("<testsuite name=", "<testsuite title=")):
            problems.append(f"{file.name}: the schema takes anything")
    return problems


main(*sys.argv[1:])
