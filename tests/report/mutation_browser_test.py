"""Both pages of mutation results as a browser sees them: our own, and the viewer's.

usage: mutation_browser_test.py GPUTEST CMAKE FOLDER; FOLDER keeps the viewer that CMAKE fetches. Without
network the viewer's page is not looked at. Exits with 77 where no Chromium is installed.
"""

import pathlib
import subprocess
import sys
import tempfile

from browser import check_structure, load
from gputest_report import DATA, HOSTILE_SOURCE, expect, mutation_json, report

VIEWER_SCRIPT = pathlib.Path(__file__).parent / "mutation_viewer.cmake"

# What the viewer draws is in shadow trees, which the dumped document lacks.
COLLECT = """<pre id="seen"></pre><script>
setTimeout(() => {
  const texts = [];
  const collect = (node) => {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    if (node.shadowRoot) collect(node.shadowRoot);
    if (!["STYLE", "SCRIPT"].includes(node.nodeName)) for (const child of node.childNodes) collect(child);
  };
  collect(document.querySelector("mutation-test-report-app"));
  document.getElementById("seen").textContent = texts.join(" ").replace(/\\s+/g, " ");
}, 2000);
</script></body>"""


def with_script(file, script):
    text = file.read_text()
    expect(text.count("</body>") == 1, "the page has one end")
    changed = file.with_name("changed.html")
    changed.write_text(text.replace("</body>", script))
    return changed


def check_plain(folder):
    file = folder / "page.html"
    report(DATA / "mutation", "--html", file)
    page = load(file, folder / "profile")
    check_structure(page, scripts=2)
    for part in ("Mutants of 2 kernels", "23 of 44 killed", "12 mutants", "By operator", "score of 52.94 %",
                 "13 mutants that no test case notices", "ignored: not a number is tested elsewhere"):
        expect(part in page.text, f"the page says: {part}")
    gaps = len(page.attributes("data-gap"))
    expect(gaps == 16 and f"\n{gaps}\n" in page.text, f"the script counts {gaps} lines with survivors")
    expect(page.count("table") == 5, "no table of a line's mutants is there")

    press = """<script>for (const one of document.querySelectorAll('[data-line="11"].count')) one.click();
    const twice = document.querySelector('[data-line="17"].count'); twice.click(); twice.click();</script></body>"""
    page = load(with_script(file, press), folder / "profile")
    expect(page.count("table") == 7, "a press on a count shows its mutants, a second one hides them")
    expect(page.attributes("aria-expanded").count("true") == 2, "the counts pressed say so")
    copied = [text for text in page.text.splitlines() if text.strip()]
    expect(any("gputest show " in text for text in copied), "the command that prints a patch is there")
    expect(any("// gputest: ignore[" in text for text in copied), "the comment that ignores a mutant is there")
    expect("wrong output; 'sums' differs in 2 of 4 elements" in page.text, "the mutants' details are shown")


def check_hostile(folder):
    text = HOSTILE_SOURCE.decode(errors="replace")
    name = """<img src=x onerror=alert(1)> & "it's".cl"""
    (folder / "mutation.json").write_text(mutation_json(name, text))
    file = folder / "hostile.html"
    report(folder / "mutation.json", "--html", file)
    press = "<script>for (const one of document.querySelectorAll('.count')) one.click();</script></body>"
    page = load(with_script(file, press), folder / "profile")
    check_structure(page, scripts=3)
    expect(page.count("img") == 0, "names make no elements")
    for part in ('// <script>alert("comment")</script> & \ufffd\ufffd café \ufffd reversed', name):
        expect(part in page.text, f"the page shows: {part}")


def check_viewer(folder, viewer):
    file = folder / "viewer.html"
    report(DATA / "mutation", "--html", file, "--viewer", viewer)
    page = load(with_script(file, COLLECT), folder / "profile", "--virtual-time-budget=10000")
    for part in ("Mutants of 2 kernels", "reduce.cl", "guard.h", "52.27", "58.06"):
        expect(part in page.text, f"the viewer shows: {part}")


with tempfile.TemporaryDirectory() as directory:
    check_plain(pathlib.Path(directory))
    check_hostile(pathlib.Path(directory))
    found = subprocess.run([sys.argv[2], f"-DFOLDER={sys.argv[3]}", "-P", VIEWER_SCRIPT], capture_output=True,
                           check=True, text=True).stdout.strip()
    if found:
        check_viewer(pathlib.Path(directory), found)
    else:
        print("the viewer could not be had from npm: its page was not looked at")
