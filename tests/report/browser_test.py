"""The page as a browser sees it: what it shows, that its script runs, that nothing goes wrong.

usage: browser_test.py GPUTEST; exits with 77 where no Chromium is installed.
"""

import pathlib
import tempfile

from browser import check_structure, load
from gputest_report import DATA, SAMPLE, expect, hostile_root, report

with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    file = folder / "page.html"

    report(*SAMPLE, "--html", file, "--source-root", DATA)
    page = load(file, folder / "profile")
    check_structure(page, scripts=1)
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
    check_structure(page, scripts=1)
    expect(page.count("img") == 0 and page.count("i") == 0, "names make no elements")
    for part in ('// <script>alert("comment")</script> & \ufffd\ufffd café \ufffd reversed',
                 '"</code><script>alert(1)</script>"[0]', "␛[31m", "<b>device</b>"):
        expect(part in page.text, f"the page shows: {part}")
