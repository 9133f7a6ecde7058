"""
The share of `Any` in a client that blocks, and in the fields of its types: `measure.py CLASS FILE...`. Options that every call has are not
counted.
"""

import ast
import json
import sys

COMMON = {"self", "headers", "timeout", "retry", "idempotency_key", "interval", "options"}
MEMBERS = {"close", "with_options", "batch"}

found = {"results": [0, 0], "arguments": [0, 0], "fields": [0, 0]}


def count(kind, annotation):
    found[kind][1] += 1
    found[kind][0] += annotation is None or any(isinstance(one, ast.Name) and one.id == "Any" for one in ast.walk(annotation))


def is_overload(function):
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in function.decorator_list)


def count_methods(client):
    functions = [one for one in client.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    overloaded = {one.name for one in functions if is_overload(one)}
    for one in functions:
        if one.name in MEMBERS or (one.name in overloaded and not is_overload(one)):
            continue
        count("results", one.returns)
        for argument in [*one.args.args, *one.args.kwonlyargs]:
            if argument.arg not in COMMON:
                count("arguments", argument.annotation)


name, *files = sys.argv[1:]
for file in files:
    with open(file) as source:
        tree = ast.parse(source.read())
    for one in tree.body:
        if not isinstance(one, ast.ClassDef):
            continue
        if one.name == name:
            count_methods(one)
        else:
            for field in one.body:
                if isinstance(field, ast.AnnAssign) and not getattr(field.target, "id", "_").startswith("_"):
                    count("fields", field.annotation)
print(json.dumps(found))
