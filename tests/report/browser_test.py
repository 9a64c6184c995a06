"""The page as a browser sees it: what it shows, that its script runs, that nothing goes wrong.

usage: browser_test.py GPUTEST; exits with 77 where no Chromium is installed.
"""

import html.parser
import pathlib
import shutil
import subprocess
import sys
import tempfile

from gputest_report import DATA, SAMPLE, SKIPPED, expect, hostile_root, report

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if BROWSER is None:
    print("skipped: no chromium found")
    sys.exit(SKIPPED)


class Page(html.parser.HTMLParser):
    """The document after its script ran."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self._open = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self._open):
            self.text += data

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)

    def attributes(self, name):
        return [values[name] for _, values in self.elements if name in values]


def load(file, profile):
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
                 f"--user-data-dir={profile}", file.as_uri()]
    result = subprocess.run([BROWSER, *arguments], capture_output=True, timeout=100, check=True)
    console = [line for line in result.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    expect(not console, f"the console is silent, but: {console}")
    return Page(result.stdout.decode())


def check_structure(page):
    ids = page.attributes("id")
    expect(len(ids) == len(set(ids)), "ids are unique")
    targets = [link[1:] for link in page.attributes("href") if link.startswith("#")]
    expect(targets and set(targets) <= set(ids), f"links lead somewhere: {set(targets) - set(ids)}")
    expect(page.count("script") == 1, "there is one script, the page's own")
    expect(not [name for _, values in page.elements for name in values if name.startswith("on")],
           "there are no event attributes")


with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    file = folder / "page.html"

    report(*SAMPLE, "--html", file, "--source-root", DATA)
    page = load(file, folder / "profile")
    check_structure(page)
    for part in ("Coverage of 3 kernels", "branch i < 0 || i >= n was never true", "shared code counts once",
                 "The source of generated/swizzle.h was not found", "1 failed",
                 "barrier barrier(CLK_LOCAL_MEM_FENCE) is divergent: work-items of group 3"):
        expect(part in page.text, f"the page says: {part}")
    stepper = next(values for _, values in page.elements if values.get("class") == "stepper")
    expect("hidden" not in stepper, "the script shows the buttons")
    gaps = len(page.attributes("data-gap"))
    expect(gaps > 10 and f"\n{gaps}\n" in page.text, f"the script counts {gaps} gaps")

    report(DATA / "hostile", "--html", file, "--source-root", hostile_root(folder / "sources"))
    page = load(file, folder / "profile")
    check_structure(page)
    expect(page.count("img") == 0 and page.count("i") == 0, "names make no elements")
    for part in ('// <script>alert("comment")</script> & \ufffd\ufffd café \ufffd reversed',
                 '"</code><script>alert(1)</script>"[0]', "␛[31m", "<b>device</b>"):
        expect(part in page.text, f"the page shows: {part}")
