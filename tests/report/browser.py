"""Pages as Chromium sees them."""

import html.parser
import shutil
import subprocess
import sys

from gputest_report import SKIPPED, expect

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


def load(file, profile, *options):
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
                 f"--user-data-dir={profile}", *options, file.as_uri()]
    result = subprocess.run([BROWSER, *arguments], capture_output=True, timeout=900, check=True)
    console = [line for line in result.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    expect(not console, f"the console is silent, but: {console}")
    return Page(result.stdout.decode())


def check_structure(page, scripts):
    ids = page.attributes("id")
    expect(len(ids) == len(set(ids)), "ids are unique")
    targets = [link[1:] for link in page.attributes("href") if link.startswith("#")]
    expect(targets and set(targets) <= set(ids), f"links lead somewhere: {set(targets) - set(ids)}")
    expect(page.count("script") == scripts, "the scripts are the page's own")
    expect(not [name for _, values in page.elements for name in values if name.startswith("on")],
           "there are no event attributes")
