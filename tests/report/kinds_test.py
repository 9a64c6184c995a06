"""Results of several kinds at once: SARIF and JUnit as others' parsers see them, and the pages in a browser.

usage: kinds_test.py GPUTEST
"""

import json
import pathlib
import tempfile
import urllib.parse
import xml.etree.ElementTree as ElementTree

from browser import check_structure, load
from gputest_report import DATA, expect, report

KINDS = ("coverage", "mutation", "schedules", "check", "memory")


def check_sarif(file):
    document = json.loads(file.read_text())
    expect(document["version"] == "2.1.0" and document["$schema"].endswith("sarif-2.1.0.json"), "SARIF 2.1.0")
    expect(len(document["runs"]) == len(KINDS), "a run for each kind")
    for run in document["runs"]:
        rules = run["tool"]["driver"]["rules"]
        expect(len({rule["id"] for rule in rules}) == len(rules), "ids of rules are unique")
        fingerprints = set()
        for entry in run["results"]:
            expect(rules[entry["ruleIndex"]]["id"] == entry["ruleId"], "ruleIndex leads to the rule")
            expect(entry["level"] in ("error", "warning", "note"), entry["level"])
            expect(entry["message"]["text"], "there is a message")
            for location in entry["locations"] + entry.get("relatedLocations", []):
                place = location["physicalLocation"]
                uri = place["artifactLocation"]["uri"]
                expect(not urllib.parse.urlsplit(uri).scheme and not uri.startswith("/"), f"{uri} is relative")
                expect(place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"], "its base is known")
                region = place.get("region", {"startLine": 1, "startColumn": 1})
                expect(region["startLine"] >= 1 and region["startColumn"] >= 1, "lines and columns count from 1")
            fingerprints.add(json.dumps(entry["partialFingerprints"]))
        expect(len(fingerprints) == len(run["results"]), "fingerprints are unique")


def check_junit(file):
    root = ElementTree.parse(file).getroot()
    for element in [root, *root]:
        cases = element.findall(".//testcase")
        expect(int(element.get("tests")) == len(cases), "tests add up")
        for outcome, key in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            expect(int(element.get(key)) == sum(case.find(outcome) is not None for case in cases), f"{key} add up")
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    expect(len(names) == len(set(names)), "names are unique")
    texts = [failure.text for failure in root.iter("failure")]
    expect(any("turn.cl:9:28: error: data race" in (text or "") for text in texts), "a finding is told")


def check_index(folder):
    page = load(folder / "report.html", folder / "profile")
    ids = set(page.attributes("id"))
    links = page.attributes("href")
    for link in links:
        if link.startswith("#"):
            expect(link[1:] in ids, f"{link} leads somewhere")
        elif not link.startswith("data:"):
            expect((folder / link).is_file(), f"{link} is there")
    for kind in KINDS:
        expect(f"{kind}.html" in links, f"the page of {kind} is linked")
    expect(page.count("script") == 0, "there are no scripts")
    for part in ("Tests of 4 kernels", "below the threshold of 80 %", "nothing says what the outputs should be",
                 "expected outputs are recorded, not verified", "23 %", "add (sum)"):
        expect(part in page.text, f"the page says: {part}")


def check_page(folder):
    page = load(folder / "check.html", folder / "profile")
    check_structure(page, scripts=1)
    for part in ("Checks of 2 kernels", "data race on byte 4", "1 more of races on 'tile'", "not proved",
                 "barrier(CLK_LOCAL_MEM_FENCE)", "é <turned>", "nobody knows where"):
        expect(part in page.text, f"the page says: {part}")
    expect(len(page.attributes("data-gap")) == 2, "two lines have findings")


with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    report(DATA / "kinds", DATA / "mutation", "--source-root", DATA / "kernels", "--html", folder / "report.html",
           "--sarif", folder / "out.sarif", "--junit", folder / "out.xml")
    check_sarif(folder / "out.sarif")
    check_junit(folder / "out.xml")
    check_index(folder)
    check_page(folder)
    for kind in KINDS:
        text = (folder / f"{kind}.html").read_text()
        expect('src="http' not in text and '<link rel="stylesheet"' not in text, f"{kind}.html needs nothing else")
