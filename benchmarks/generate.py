#!/usr/bin/env python3
"""How much of kernels `gputest generate` reaches, from nothing but their source.

generate.py <gputest command> <folder or file>… [--budget s] [--markdown] [-- option of gputest generate…]

A row for each kernel of each .cl file below the folders: its outcomes, how many were reached, proved impossible and
left open, cases, launches, and seconds with and without what compiling takes (an empty cache: from a cold start).
Cases go to a temporary folder.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import examples

SUMMARY = re.compile(r"^(\w+): (\d+) of (\d+) outcomes reached, (\d+) proved impossible, (\d+) open; (\d+) launches in "
                     r"([\d.]+) s", re.M)


def kernel_files(paths):
    for path in paths:
        yield from [path] if path.is_file() else sorted(path.rglob("*.cl"))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("gputest", type=pathlib.Path)
    options.add_argument("paths", type=pathlib.Path, nargs="+")
    options.add_argument("--budget", default="10")
    options.add_argument("--markdown", action="store_true")
    options.add_argument("--open", action="store_true", help="list what is open below the table")
    options.add_argument("--option", action="append", default=[], help="of gputest generate, such as --option=-DN=4")
    given = options.parse_args()
    table = examples.Table(given.markdown, ["<44", ">8", ">8", ">8", ">6", ">6", ">9", ">8", ">8"], "kernel", "outcomes",
                           "reached", "impossible", "open", "cases", "launches", "seconds", "all")
    sums, failed, remarks = [0] * 6, [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GPUTEST_CACHE_DIR=folder + "/cache")
        for number, file in enumerate(kernel_files(given.paths)):
            cases = pathlib.Path(folder) / f"cases-{number}"
            begin = time.monotonic()
            ran = subprocess.run([given.gputest, "generate", file, "-o", cases, "--budget", given.budget, *given.option],
                                 capture_output=True, text=True, env=environment)
            seconds = time.monotonic() - begin
            found = SUMMARY.findall(ran.stdout)
            if not found:
                reason = (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[0]
                failed.append(f"{file.name}: {reason}")
            for kernel, reached, outcomes, impossible, is_open, launches, busy in found:
                written = len(list(cases.glob(f"{kernel}-*.json")))
                table.row(f"{file.stem}: {kernel}", outcomes, reached, impossible, is_open, written, launches, busy,
                          f"{seconds / len(found):.1f}")
                for i, value in enumerate([outcomes, reached, impossible, is_open, written, launches]):
                    sums[i] += int(value)
            remarks += [f"{file.stem}: {line.strip()}" for line in ran.stdout.splitlines() if line.startswith("  open: ")]
    table.row("all", *sums, "", "")
    for line in failed + (remarks if given.open else []):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
