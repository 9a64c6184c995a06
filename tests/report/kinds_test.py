"""Results of several kinds at once: SARIF and JUnit as others' parsers see them, and the pages in a browser.

usage: kinds_test.py GPUTEST
"""

import json
import pathlib
import shutil
import tempfile
import xml.etree.ElementTree as ElementTree

from sarif import schema as sarif
from browser import check_structure, load
from gputest_report import DATA, expect, report

KINDS = ("coverage", "mutation", "schedules", "check", "memory")


def check_sarif(file):
    document = json.loads(file.read_text())
    sarif.check(document)
    sarif.check_itself({**document, "runs": [next(run for run in document["runs"] if run["results"])]})
    expect([run["automationDetails"]["id"] for run in document["runs"]] == [f"gputest/{kind}/" for kind in KINDS],
           "a run for each kind")
    related = [result for run in document["runs"] for result in run["results"] if "relatedLocations" in result]
    expect(any(result["relatedLocations"][0]["message"]["text"] == "the other access" for result in related),
           "a race names its other access")
    suppressed = [result for run in document["runs"] for result in run["results"] if "suppressions" in result]
    expect(suppressed and all(result["suppressions"][0]["kind"] == "inSource" for result in suppressed),
           "ignored mutants are suppressed results")


def moved(folder, lines):
    """The fingerprints of findings if so many lines precede the sources."""
    kernels = folder / f"kernels-{lines}"
    shutil.copytree(DATA / "kernels", kernels)
    for source in kernels.iterdir():
        source.write_bytes(b"\n" * lines + source.read_bytes())
    results = folder / f"check-{lines}.json"
    found = json.loads((DATA / "kinds" / "turn" / "check.json").read_text())
    for finding in found["findings"]:
        for key in ("line", "other_line"):
            if finding.get(key, 0) > 0:
                finding[key] += lines
    results.write_text(json.dumps(found))
    report(results, "--source-root", kernels, "--sarif", folder / "moved.sarif")
    run, = json.loads((folder / "moved.sarif").read_text())["runs"]
    return [result["partialFingerprints"] for result in run["results"]]


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
        elif not link.startswith(("data:", "https:")):
            file, _, place = link.partition("#")
            expect((folder / file).is_file(), f"{link} is there")
            expect(not place or f'id="{place}"' in (folder / file).read_text(), f"{link} leads to the kernel")
    expect(sum("#kernel-" in link for link in links) >= len(KINDS), "cells lead to their kernels")
    expect(all(page.attributes("title")), "words say what they mean")
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


def check_narrow(folder):
    """The page of memory on a screen of 400 pixels: only pictures and tables scroll by themselves."""
    case = {"name": "a case with a long name of " + "n" * 60, "schedule": "guided", "condition": "in[3] < 4 && " + "x" * 80,
            "replay": "1.json", "cycles": 200000000, "overhead": 50000000, "instructions": 10,
            "references": [{"file": "sum.cl", "line": 2, "column": 9, "variable": "in", "access": "read", "executions": 4,
                            "transactions": 1234, "fewest": 8, "hits": 0, "misses": 7, "waiting": 99, "lost": 55, "stride": None}],
            "timeline": {"cycles_per_step": 500, "warps": [{"core": 0, "warp": 3, "steps": "rmb."}]},
            "cache_sets": {"cycles_per_step": 500, "sets_of_row": 2, "most": 9, "rows": ["a..I", "...."]},
            "warnings": [{"file": "sum.cl", "line": 2, "column": 9, "variable": "in", "kind": "interference",
                          "message": "warps evict 'in'", "because": "others load lines", "what_if": []}]}
    results = json.loads((DATA / "kinds" / "sum" / "memory.json").read_text()) | {"cases": [case]}
    (folder / "sum").mkdir()
    (folder / "sum" / "memory.json").write_text(json.dumps(results))
    report(folder / "sum" / "memory.json", "--source-root", DATA / "kernels", "--html", folder / "alone.html",
           "--back", "all kinds.html")
    text = (folder / "alone.html").read_text()
    for part in ('href="all kinds.html"', "add (sum) on ", "gputest replay ", 'class="card', "waits for memory"):
        expect(part in text, f"the page says: {part}")
    measure = """<pre id="width"></pre><script>document.getElementById("width").textContent =
    document.documentElement.scrollWidth <= window.innerWidth ? "it fits" : "it is wider";</script></body>"""
    narrow = folder / "narrow.html"
    narrow.write_text(text.replace("</body>", measure))
    expect("it fits" in load(narrow, folder / "profile", "--window-size=400,900").text, "nothing is wider than the screen")


with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    report(DATA / "kinds", DATA / "mutation", "--source-root", DATA / "kernels", "--html", folder / "report.html",
           "--sarif", folder / "out.sarif", "--junit", folder / "out.xml")
    check_sarif(folder / "out.sarif")
    fingerprints = moved(folder, 7)
    expect(moved(folder, 0) == fingerprints, "fingerprints survive moved lines")
    expect(all("primaryLocationLineHash" in one for one in fingerprints), "GitHub's hash of the line is there")
    check_junit(folder / "out.xml")
    check_index(folder)
    check_page(folder)
    check_narrow(folder)
    for kind in KINDS:
        text = (folder / f"{kind}.html").read_text()
        expect('<a href="report.html">' in text, f"{kind}.html leads back to the index")
        expect('src="http' not in text and '<link rel="stylesheet"' not in text, f"{kind}.html needs nothing else")
