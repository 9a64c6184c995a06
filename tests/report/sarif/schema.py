"""What a SARIF file must be: the constraints of the schema of SARIF 2.1.0 for the objects that reports have, and
those of GitHub's code scanning.

usage: schema.py FILE…
"""

import json
import pathlib
import re
import sys
import urllib.parse

TEXT, WHOLE, FLAG, LIST, OBJECT = str, int, bool, list, dict

# The properties of each object, and the schema's type; "!" before a name: it is required. The schema allows no others.
OBJECTS = {
    "log": {"$schema": TEXT, "!version": TEXT, "!runs": LIST},
    "run": {"!tool": OBJECT, "automationDetails": OBJECT, "originalUriBaseIds": OBJECT, "columnKind": TEXT, "results": LIST,
            "invocations": LIST},
    "tool": {"!driver": OBJECT},
    "driver": {"!name": TEXT, "semanticVersion": TEXT, "informationUri": TEXT, "rules": LIST},
    "rule": {"!id": TEXT, "shortDescription": OBJECT, "fullDescription": OBJECT, "helpUri": TEXT,
             "defaultConfiguration": OBJECT, "properties": OBJECT},
    "configuration": {"level": TEXT},
    "details": {"id": TEXT},
    "result": {"ruleId": TEXT, "ruleIndex": WHOLE, "level": TEXT, "!message": OBJECT, "locations": LIST,
               "relatedLocations": LIST, "partialFingerprints": OBJECT, "suppressions": LIST, "properties": OBJECT},
    "message": {"text": TEXT},
    "location": {"id": WHOLE, "physicalLocation": OBJECT, "logicalLocations": LIST, "message": OBJECT},
    "physical": {"!artifactLocation": OBJECT, "region": OBJECT},
    "logical": {"name": TEXT, "kind": TEXT},
    "artifact": {"uri": TEXT, "uriBaseId": TEXT, "description": OBJECT},
    "region": {"startLine": WHOLE, "startColumn": WHOLE, "endLine": WHOLE, "endColumn": WHOLE},
    "suppression": {"!kind": TEXT, "justification": TEXT, "status": TEXT},
    "invocation": {"!executionSuccessful": FLAG, "toolExecutionNotifications": LIST},
    "notification": {"level": TEXT, "!message": OBJECT},
}
LEVELS = ("none", "note", "warning", "error")
SEMANTIC_VERSION = r"\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?"


class Invalid(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Invalid(what)


def check_object(value, kind, where):
    need(isinstance(value, dict), f"{where} is an object")
    known = {name.lstrip("!"): kind for name, kind in OBJECTS[kind].items()}
    for name in OBJECTS[kind]:
        need(not name.startswith("!") or name[1:] in value, f"{where} has {name[1:]}")
    for name, entry in value.items():
        need(name in known, f"{where}: the schema knows no {name}")
        need(type(entry) is known[name], f"{where}.{name} is of type {known[name].__name__}")


def check_message(value, where):
    check_object(value, "message", where)
    need(value.get("text"), f"{where} has a text")


def check_uri(uri, where, absolute=False):
    need(re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", uri) and not re.search(r"%(?![0-9A-Fa-f]{2})", uri),
         f"{where}: '{uri}' is a URI")
    need(not absolute or urllib.parse.urlsplit(uri).scheme, f"{where}: '{uri}' has a scheme")


def check_location(value, run, where):
    check_object(value, "location", where)
    need(value.get("id", 0) >= 0, f"{where}: ids count from 0")
    need("physicalLocation" in value, f"{where} is in a file, which GitHub asks for")
    place = value["physicalLocation"]
    check_object(place, "physical", where)
    artifact = place["artifactLocation"]
    check_object(artifact, "artifact", where)
    need("uri" in artifact, f"{where} names its file")
    check_uri(artifact["uri"], where)
    need("uriBaseId" not in artifact or artifact["uriBaseId"] in run["originalUriBaseIds"], f"{where}: its base is known")
    region = place.get("region", {})
    check_object(region, "region", where)
    need(all(number >= 1 for number in region.values()), f"{where}: lines and columns count from 1")
    if "endLine" in region:
        need((region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"]), f"{where} has an extent")
    for logical in value.get("logicalLocations", []):
        check_object(logical, "logical", where)
    if "message" in value:
        check_message(value["message"], where)


def check_rule(rule, where):
    check_object(rule, "rule", where)
    for name in ("shortDescription", "fullDescription"):
        need(name in rule, f"{where} has {name}, which GitHub asks for")
        check_message(rule[name], f"{where}.{name}")
        need(len(rule[name]["text"]) <= 1024, f"{where}.{name} is what GitHub shows")
    if "helpUri" in rule:
        check_uri(rule["helpUri"], where, absolute=True)
    check_object(rule["defaultConfiguration"], "configuration", where)
    need(rule["defaultConfiguration"]["level"] in LEVELS, f"{where}: a level")
    need(all(isinstance(tag, str) for tag in rule.get("properties", {}).get("tags", [])), f"{where}: tags are texts")


def check_result(result, rules, run, where):
    check_object(result, "result", where)
    check_message(result["message"], where)
    need(rules[result["ruleIndex"]]["id"] == result["ruleId"], f"{where}: ruleIndex leads to the rule")
    need(result["level"] in LEVELS, f"{where}: a level")
    need(result.get("locations"), f"{where} has a place, which GitHub asks for")
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location, run, where)
    for location in result.get("relatedLocations", []):
        need("message" in location, f"{where}: GitHub shows the text of a related location")
    need(result.get("partialFingerprints"), f"{where} has a fingerprint")
    need(all(isinstance(text, str) and text for text in result["partialFingerprints"].values()), f"{where}: it is a text")
    for suppression in result.get("suppressions", []):
        check_object(suppression, "suppression", where)
        need(suppression["kind"] in ("inSource", "external"), f"{where}: the kind of a suppression")


def check_run(run, where):
    check_object(run, "run", where)
    check_object(run["tool"], "tool", where)
    driver = run["tool"]["driver"]
    check_object(driver, "driver", where)
    need(re.fullmatch(SEMANTIC_VERSION, driver.get("semanticVersion", "")), f"{where} has a version")
    need("informationUri" in driver, f"{where} says where the tool is from")
    check_uri(driver["informationUri"], where, absolute=True)
    need("automationDetails" in run, f"{where} has a category")
    check_object(run["automationDetails"], "details", where)
    need(re.fullmatch("gputest/[a-z]+/", run["automationDetails"]["id"]), f"{where}: {run['automationDetails']['id']}")
    need(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), f"{where}: columnKind")
    for name, base in run["originalUriBaseIds"].items():
        check_object(base, "artifact", f"{where}.{name}")
    for invocation in run.get("invocations", []):
        check_object(invocation, "invocation", where)
        for notification in invocation.get("toolExecutionNotifications", []):
            check_object(notification, "notification", where)
            need(notification["level"] in LEVELS, f"{where}: a level")
            check_message(notification["message"], where)
    rules = driver["rules"]
    for rule in rules:
        check_rule(rule, f"{where}, rule {rule.get('id')}")
    need(len({rule["id"] for rule in rules}) == len(rules), f"{where}: ids of rules are unique")
    fingerprints = set()
    for number, result in enumerate(run["results"]):
        check_result(result, rules, run, f"{where}, result {number}")
        fingerprints.add(json.dumps(result["partialFingerprints"]))
    need(len(fingerprints) == len(run["results"]), f"{where}: fingerprints are unique")


def check(document):
    """Raises Invalid for a document that the schema or GitHub refuses."""
    check_object(document, "log", "the log")
    need(document["version"] == "2.1.0", "the version is 2.1.0")
    for number, run in enumerate(document["runs"]):
        check_run(run, f"run {number}")
    categories = [(run["tool"]["driver"]["name"], run["automationDetails"]["id"]) for run in document["runs"]]
    need(len(categories) == len(set(categories)), "no two runs have the tool and the category in common")


def check_itself(document):
    """Whether check() refuses what is wrong with a valid document that has results."""
    def changed(change):
        copy = json.loads(json.dumps(document))
        change(copy["runs"][0])
        return copy

    wrong = (
        lambda run: run.pop("automationDetails"),
        lambda run: run["tool"]["driver"].update(semanticVersion="one"),
        lambda run: run["tool"]["driver"]["rules"][0].pop("fullDescription"),
        lambda run: run.update(level="error"),
        lambda run: run["results"][0].update(level="bad"),
        lambda run: run["results"][0].update(locations=[]),
        lambda run: run["results"][0].update(ruleIndex="0"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b.cl"),
        lambda run: run["results"].append(run["results"][0]),
    )
    for change in wrong:
        try:
            check(changed(change))
        except (Invalid, TypeError):
            continue
        raise Invalid("a wrong file is refused")
    twice = {**document, "runs": document["runs"] * 2}
    try:
        check(twice)
    except Invalid:
        return
    raise Invalid("two runs of one category are refused")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            check(json.loads(pathlib.Path(name).read_text()))
        except Invalid as error:
            sys.exit(f"{name}: not so: {error}")
