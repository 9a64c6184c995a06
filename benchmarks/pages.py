#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of many results: what making them takes, how large they are, and how soon Chromium shows them.

usage: pages.py <build folder of GpuTestCheck> <mutation.json of one kernel> <its source> [--kernels N] [--keep FOLDER]

Copies the results of one kernel N times (2000), each of a kernel and a source of its own, and makes the page of them,
and the index. Shown is what Chromium takes from its start until it has drawn a page; an empty page says how much of that
is Chromium itself.
"""
import argparse
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def timed(what, command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{what}: {done.stdout}{done.stderr}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.2f} s, {processor:.2f} s of processor time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, default=2000)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="gputest_pages_"))
    name, text, source = arguments.source.stem, arguments.results.read_text(), arguments.source.read_text()
    (folder / "source").mkdir(parents=True, exist_ok=True)
    for i in range(arguments.kernels):
        own = f"kernel_{i}"
        (folder / "source" / f"{own}{arguments.source.suffix}").write_text(source.replace(name, own))
        (folder / "results" / own).mkdir(parents=True, exist_ok=True)
        moved = text.replace(str(arguments.source.parent.resolve()), str(folder / "source"))
        (folder / "results" / own / arguments.results.name).write_text(moved.replace(name, own))
    gputest, page, index = arguments.build / "driver" / "gputest", folder / "mutation.html", folder / "results" / "report.html"
    root = ["--source-root", folder / "source"]
    timed(f"page of {arguments.kernels} kernels", [gputest, "report", "--no-terminal", folder / "results", "--html", page, *root])
    timed("index", [gputest, "report", "--no-terminal", folder / "results", "--index", index, *root])
    pages = sorted((one for one in folder.rglob("*.html")), key=lambda one: one.stat().st_size)
    total = sum(one.stat().st_size for one in pages)
    print(f"{len(pages)} pages with {total / 1e6:.1f} MB, the largest {pages[-1].relative_to(folder)} with "
          f"{pages[-1].stat().st_size / 1e6:.2f} MB")
    empty = folder / "empty.htm"
    empty.write_text("<p>empty</p>")
    for file in (empty, page, index, pages[-1]):
        timed(f"Chromium shows {file.relative_to(folder)}",
              ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
               f"--screenshot={folder / 'shown.png'}", file.as_uri()])
    if not arguments.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
