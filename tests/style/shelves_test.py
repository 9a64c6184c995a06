# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shelves_test.py <checkout>: each text is on its shelf. The manual, docs/*.md, stays short. What was measured is in
benchmarks/results/ and says when. The site's navigation has each page once."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
MOST_WORDS = 35000  # of the manual, code and tables included
DATE = r"\b20\d\d-\d\d-\d\d\b"


def prose(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def faults_of_results(page):
    """Sections with a table have a date, of their own or of the section around them."""
    faults, dated = [], {}
    for level, heading, text in re.findall(r"^(#+) (.*)\n((?:(?!^#).*\n?)*)", prose(page.read_text()), re.MULTILINE):
        dated = {above: held for above, held in dated.items() if above < len(level)}
        dated[len(level)] = bool(re.search(f"^Measured on {DATE}", text, re.MULTILINE))
        if re.search(r"^\|.*\d", text, re.MULTILINE) and page.name != "index.md" and not any(dated.values()):
            faults.append(f"{page.relative_to(ROOT)}: '{heading}' has numbers, and no line 'Measured on <date>.'")
    return faults


manual, results = sorted((ROOT / "docs").glob("*.md")), sorted((ROOT / "benchmarks/results").glob("*.md"))
words = sum(len(page.read_text().split()) for page in manual)
faults = [f"docs/*.md have {words} words, and {MOST_WORDS} are the most: move what is looked up to docs/reference/, and how "
          "things work to docs/internals/"] if words > MOST_WORDS else []
faults += [f"{page.relative_to(ROOT)}: a measurement of {found[0]} belongs into benchmarks/results/"
           for page in (ROOT / "docs").rglob("*.md") if (found := re.findall(DATE, prose(page.read_text())))]
for page in results:
    faults += faults_of_results(page)

navigation = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
of_site = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")} - {"index.md"}
of_site |= {f"results/{page.name}" for page in results}
faults += [f"mkdocs.yml: {page} is {navigation.count(page)} times in the navigation" for page in sorted(of_site) if navigation.count(page) != 1]
print("\n".join(faults))
print(f"{words} words of the manual, {len(results)} pages of results")
sys.exit(bool(faults) or len(manual) < 10 or len(results) < 5)
