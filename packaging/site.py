#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site with mkdocs (Debian: mkdocs, mkdocs-material), with warnings as errors.

    site.py <folder> [<URL of the repository>] [--prepare]

Pages of docs/ and of the top level become pages side by side. Links to other files lead to the repository, or to
nothing where no URL is given. --prepare only copies the pages to build/site-source.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "site-source"  # docs_dir of mkdocs.yml
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")


def pages():
    """Files of the checkout to their names on the site."""
    named = {file: file.name for file in (ROOT / "docs").iterdir()}
    named |= {ROOT / name: name for name in TOP}
    named |= {ROOT / "README.md": "index.md", ROOT / "docs" / "index.md": "pages.md", ROOT / "examples" / "README.md": "examples.md"}
    return named


def relinked(text, file, named, repository):
    """The page with links that hold on the site."""
    def replace(match):
        label, target = match.group(1), match.group(2)
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        at = (file.parent / path).resolve()
        if at in named:
            return f"[{label}]({named[at]}{mark}{anchor})"
        if not at.exists():
            sys.exit(f"error: {file.relative_to(ROOT)} links to {target}, which does not exist")
        inside = at.relative_to(ROOT).as_posix()
        if repository:
            return f"[{label}]({repository}/{'tree' if at.is_dir() else 'blob'}/main/{inside})"
        return label
    text = re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)\)", replace, text)
    # Pictures are copied beside the pages.
    return re.sub(r"(!\[[^\]]*\]\()(?:\.\./)?docs/", r"\1", text)


def prepare(repository):
    shutil.rmtree(SOURCE, ignore_errors=True)
    SOURCE.mkdir(parents=True)
    named = pages()
    for file, name in named.items():
        if file.suffix != ".md":
            shutil.copy(file, SOURCE / name)
            continue
        parts = re.split(r"(^```.*?^```$)", file.read_text(), flags=re.DOTALL | re.MULTILINE)
        parts[::2] = [relinked(part, file, named, repository) for part in parts[::2]]
        (SOURCE / name).write_text("".join(parts))


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
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    prepare(arguments[1].rstrip("/") if len(arguments) == 2 else "")
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
