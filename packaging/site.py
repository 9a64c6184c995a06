#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site with mkdocs (Debian: mkdocs, mkdocs-material), with warnings as errors.

    site.py <folder> [<URL of the repository>] [--prepare] [--examples <prefix> [<example>…]]

Pages of docs/ keep their folders, those of benchmarks/results/ are in results/, and those of the top level beside the
manual's. Links to other files lead to the repository, or to nothing where no URL is given. Each check, kind of finding
and mutation operator has a page, of the product's tables and docs/reference/findings.md and operators.md. --examples
builds and tests examples with the GpuTestCheck that is installed in <prefix>, and puts their reports on the site.
--prepare only copies the pages to build/site-source.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import tables

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "site-source"  # docs_dir of mkdocs.yml
# Examples with something to see in each report; their lesson is the first sentence of their README.md.
EXAMPLES = ("partial_sum", "partial_sum_fixed", "races", "histogram", "reduction", "stencil")
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")


def pages():
    """Files of the checkout to their names on the site."""
    named = {file: file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*") if file.is_file()}
    named |= {file: f"results/{file.name}" for file in (ROOT / "benchmarks" / "results").iterdir()}
    named |= {ROOT / name: name for name in TOP}
    named |= {ROOT / "README.md": "index.md", ROOT / "docs" / "index.md": "pages.md", ROOT / "examples" / "README.md": "examples.md"}
    return named


def relinked(text, file, named, repository, name):
    """The text with links that hold on the site's page `name`."""
    def from_here(target):
        return os.path.relpath(target, os.path.dirname(name) or ".")

    def replace(match):
        label, target = match.group(1), match.group(2)
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        if re.match(r"(finding|check|operator)-\w+\.md$", path):
            return f"[{label}]({from_here(path)})"  # a page that is made of the tables
        at = (file.parent / path).resolve()
        if at in named:
            return f"[{label}]({from_here(named[at])}{mark}{anchor})"
        if not at.exists():
            sys.exit(f"error: {file.relative_to(ROOT)} links to {target}, which does not exist")
        inside = at.relative_to(ROOT).as_posix()
        if repository:
            return f"[{label}]({repository}/{'tree' if at.is_dir() else 'blob'}/main/{inside})"
        return label
    text = re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)\)", replace, text)
    # Pictures are copied beside the pages.
    return re.sub(r"(!\[[^\]]*\]\()(?:\.\./)?docs/", r"\1", text)


def of(sections, name):
    if name not in sections:
        sys.exit(f"error: docs/ has no section of {name}")
    return sections[name].strip()


# Checks that are settings, and no rows of model/checks.def.
FOUND_BY = {
    "order_dependence": "Found by [CHECK INTERLEAVINGS](../simulator.md#every-interleaving).",
    "sub_group_dependence": "Found by [CHECK SUB_GROUP_SIZES](opencl-functions.md#results-that-depend-on-the-size).",
}


def of_checks(findings):
    """Pages of checks and of kinds of findings: name to text."""
    made = {}
    for check in tables.checks(ROOT):
        name = check["name"]
        rows = "\n".join(f"| [`{kind}`](finding-{kind}.md) | {summary} |" for kind, summary in check["kinds"])
        if name:
            chosen = "It is made where nobody chooses checks." if check["default"] else "It is made where it is asked for."
            made[f"check-{name}.md"] = (
                f"# {name.upper()}\n\n`CHECK {name.upper()}`, or `--check {name}`, finds {check['finds']}. {chosen}\n"
                f"[The simulator](../simulator.md#checks) says how checks work.\n\n| finding | means |\n|---|---|\n{rows}\n")
        by = f"Found by [CHECK {name.upper()}](check-{name}.md)." if name else "Found in any launch, whatever is checked."
        for kind, summary in check["kinds"]:
            who = FOUND_BY.get(kind, by)
            made[f"finding-{kind}.md"] = (f"# {kind}\n\n**{summary}.** {who}\n\n{of(findings, kind)}\n\n"
                                          "[All findings](findings.md)\n")
    return made


def of_operators(sections):
    """Pages of mutation operators."""
    names = dict(tables.operators(ROOT))
    made = {}
    for name, summary in names.items():
        text = re.sub(r"\]\(#(\w+)\)", r"](operator-\1.md)", of(sections, name))
        summary = summary.replace("->", "→")
        made[f"operator-{name}.md"] = (f"# {name}\n\n`{summary}`. [Where it comes from and what it leaves alone]"
                                       f"(mutation-operators.md).\n\n{text}\n\n[All operators](operators.md)\n")
    return made


def write_tables(named, repository):
    for source, make in (("findings.md", of_checks), ("operators.md", of_operators)):
        file = ROOT / "docs" / "reference" / source
        for name, text in make(tables.sections(file)).items():
            (SOURCE / name).write_text(whole_relinked(text, file, named, repository, name))


def reports(prefix, examples):
    """Makes the reports of the examples, in SOURCE."""
    rows = []
    build = ROOT / "build" / "site-examples"
    for example in examples:
        folder, source = build / example, ROOT / "examples" / example
        for command in (["cmake", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"], ["cmake", "--build", folder, "--parallel"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        # Tests that find faults fail, and that is what the pages show.
        subprocess.run(["ctest", "--test-dir", folder], check=False, stdout=subprocess.DEVNULL)
        page = SOURCE / "reports" / example / "report.html"
        page.parent.mkdir(parents=True)
        subprocess.run([pathlib.Path(prefix) / "bin/gputest", "report", folder / "gputest", "--source-root", source, "--no-terminal",
                        "--html", page], check=False)
        if not page.exists():
            sys.exit(f"error: no report of {example}")
        (page.parent / "results.db").unlink(missing_ok=True)
        title = (source / "README.md").read_text().splitlines()[0].lstrip("# ")
        rows.append(f"| [{example}](reports/{example}/report.html) | {title} |")
    (SOURCE / "reports.md").write_text(
        "# Reports of the examples\n\nThese pages were made together with this site, by the tests of the\n[examples](examples.md). Some of "
        "the kernels have faults, for their reports to show.\n\n| report | example |\n|---|---|\n" + "\n".join(rows) + "\n")


def whole_relinked(text, file, named, repository, name):
    """The same for a whole page, whose code stays as it is."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    parts[::2] = [relinked(part, file, named, repository, name) for part in parts[::2]]
    return "".join(parts)


def prepare(repository):
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir(parents=True)
    named = pages()
    for file, name in named.items():
        (SOURCE / name).parent.mkdir(exist_ok=True)
        if file.suffix != ".md":
            shutil.copy(file, SOURCE / name)
            continue
        (SOURCE / name).write_text(whole_relinked(file.read_text(), file, named, repository, name))
    write_tables(named, repository)


def broken_anchors(site):
    """Links of the site's pages to places that no page has."""
    texts = {page: page.read_text() for page in site.rglob("*.html")}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in texts.items()}
    broken = []
    for page, text in texts.items():
        for path, anchor in re.findall(r'<a[^>]* href="([^":#]*)#([^"]+)"', text):
            target = (page.parent / path).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            if target in places and anchor not in places[target]:
                broken.append(f"{page.relative_to(site)}: {path}#{anchor}")
    return broken


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--prepare"]
    examples = []
    if "--examples" in arguments:
        at = arguments.index("--examples")
        arguments, examples = arguments[:at], arguments[at + 1:]
        if not examples:
            sys.exit(__doc__)
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    prepare(arguments[1].rstrip("/") if len(arguments) == 2 else "")
    if examples:
        reports(os.path.abspath(examples[0]), examples[1:] or EXAMPLES)
    if "--prepare" not in sys.argv:
        if not shutil.which("mkdocs"):
            print("skipped: there is no mkdocs (Debian: mkdocs, mkdocs-material)")
            sys.exit(77)
        site = pathlib.Path(arguments[0]).resolve()
        if subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "--site-dir", site], cwd=ROOT).returncode:
            sys.exit(1)
        broken = broken_anchors(site)
        print("\n".join(broken))
        sys.exit(1 if broken else 0)
