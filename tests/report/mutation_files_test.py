"""Files of mutation results as others' parsers see them: mutation-testing-elements JSON, SARIF, JUnit.

usage: mutation_files_test.py GPUTEST
"""

import json
import pathlib
import tempfile
import xml.etree.ElementTree as ElementTree

from sarif import schema as sarif
from gputest_report import DATA, HOSTILE_SOURCE, expect, mutation_json, report

STATUSES = {"Killed", "Survived", "NoCoverage", "CompileError", "RuntimeError", "Timeout", "Ignored", "Pending"}


def expect_type(value, kind, what):
    expect(isinstance(value, kind) and not (kind is int and isinstance(value, bool)), f"{what}: {value!r}")


def check_position(position, lines, what):
    for key in ("line", "column"):
        expect_type(position[key], int, what)
        expect(position[key] >= 1, f"{what}: {key} counts from 1")
    expect(position["line"] <= len(lines), f"{what}: the line exists")
    units = len(lines[position["line"] - 1].encode("utf-16-le")) // 2
    expect(position["column"] <= units + 1, f"{what}: the column exists")


def check_mutant(mutant, lines, tests):
    what = f"mutant {mutant['id']}"
    for key in ("id", "mutatorName", "status"):
        expect_type(mutant[key], str, what)
    for key in ("replacement", "statusReason", "description"):
        if key in mutant:
            expect_type(mutant[key], str, what)
    expect(mutant["status"] in STATUSES, f"{what}: {mutant['status']}")
    start, end = mutant["location"]["start"], mutant["location"]["end"]
    check_position(start, lines, what)
    check_position(end, lines, what)
    expect((start["line"], start["column"]) < (end["line"], end["column"]), f"{what} has an extent")
    for key in ("coveredBy", "killedBy"):
        expect(set(mutant.get(key, [])) <= tests, f"{what}: {key} names tests")
    if "duration" in mutant:
        expect_type(mutant["duration"], (int, float), what)
    own = mutant["gputest"]
    if own["kind"] != "launch" and start["line"] == end["line"]:
        line = lines[start["line"] - 1].encode("utf-16-le")
        text = line[2 * start["column"] - 2:2 * end["column"] - 2].decode("utf-16-le")
        expect(text == own["text"], f"{what} is about {own['text']!r}, its place says {text!r}")


def check_elements(file):
    document = json.loads(file.read_text())
    expect(document["schemaVersion"] == "2", "schemaVersion")
    for key in ("high", "low"):
        expect_type(document["thresholds"][key], int, "thresholds")
        expect(0 <= document["thresholds"][key] <= 100, "thresholds are percentages")
    tests = [test["id"] for entry in document["testFiles"].values() for test in entry["tests"]]
    expect(len(tests) == len(set(tests)), "ids of tests are unique")
    mutants = []
    for name, entry in document["files"].items():
        expect_type(entry["language"], str, name)
        expect_type(entry["source"], str, name)
        lines = entry["source"].split("\n")
        for mutant in entry["mutants"]:
            check_mutant(mutant, lines, set(tests))
        mutants += entry["mutants"]
    ids = [mutant["id"] for mutant in mutants]
    expect(len(ids) == len(set(ids)), "ids of mutants are unique")
    return mutants


def check_sarif(file, mutants):
    document = json.loads(file.read_text())
    sarif.check(document)
    run, = document["runs"]
    open_ends = [entry for entry in run["results"] if "suppressions" not in entry]
    for level, statuses in (("warning", {"Survived"}), ("note", {"NoCoverage"})):
        expect(sum(entry["level"] == level for entry in open_ends)
               == sum(mutant["status"] in statuses for mutant in mutants), f"each {level} is there")
    expect(len(run["results"]) - len(open_ends)
           == sum(mutant["gputest"]["verdict"] == "ignored" for mutant in mutants), "ignored ones are suppressed")


def check_junit(file, mutants):
    root = ElementTree.parse(file).getroot()
    cases = root.findall("testsuite/testcase")
    expect(len(cases) == len(mutants), "a test case for each mutant")
    names = [(case.get("classname"), case.get("name")) for case in cases]
    expect(len(names) == len(set(names)), "names are unique")
    for element in [root, *root]:
        inside = element.findall(".//testcase")
        expect(int(element.get("tests")) == len(inside), "tests add up")
        for outcome, key in (("failure", "failures"), ("skipped", "skipped")):
            expect(int(element.get(key)) == sum(case.find(outcome) is not None for case in inside), f"{key} add up")
    failed = sum(case.find("failure") is not None for case in cases)
    expect(failed == sum(mutant["status"] in ("Survived", "NoCoverage") for mutant in mutants), "what failed")


with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    (folder / "hostile").mkdir()
    (folder / "hostile" / "mutation.json").write_text(
        mutation_json("""a <b> & "c's" %.cl""", HOSTILE_SOURCE.decode(errors="replace")))
    for source in (DATA / "mutation", folder / "hostile"):
        report(source, "--json", folder / "out.json", "--sarif", folder / "out.sarif", "--junit", folder / "out.xml")
        found = check_elements(folder / "out.json")
        expect(len(found) == (48 if source == DATA / "mutation" else 1), f"{len(found)} mutants")
        check_sarif(folder / "out.sarif", found)
        check_junit(folder / "out.xml", found)
