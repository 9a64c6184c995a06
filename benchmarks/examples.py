# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What measurements over all examples share: their harnesses, side-by-side runs, and tables."""
import argparse
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples"


def parser(description, runs):
    options = argparse.ArgumentParser(description=description.splitlines()[0])
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=runs)
    options.add_argument("--device", default="")
    options.add_argument("--markdown", action="store_true")
    return options


def harnesses(build, left_out):
    """(example, its harness, its benchmark.json); what has no harness is added to left_out."""
    for case_file in sorted(FOLDER.glob("*/benchmark.json")):
        name = case_file.parent.name
        harness = build / "gputest" / name / f"{name}_harness"
        if harness.exists():
            yield name, harness, case_file
        else:
            left_out.append(f"{name} (no harness)")


def run(command, environment=None):
    """A harness; its exit code says whether tests held, which is not what is measured."""
    finished = subprocess.run(command, capture_output=True, text=True, env=environment)
    if finished.returncode not in (0, 1):
        sys.exit(f"{command[0]}: {finished.stderr or finished.stdout}")
    return finished.stdout


def compare(harness, case_file, runs, *options, environment=None):
    """Launches in turn, in one process: the device's name and the case's times and difference."""
    result = harness.parent / "benchmark-comparison.json"
    said = run([harness, "--compare", str(runs), "--case-file", case_file, "--json", result, "--timeout", "300", *options],
               environment)
    comparison = json.loads(result.read_text())
    if not comparison["cases"]:
        sys.exit(f"{harness}: {said}")
    return comparison["device"], comparison["cases"][0]


class Table:
    def __init__(self, markdown, widths, *headings):
        """widths: a format's alignment and width for each column, where it is not Markdown"""
        self.line = ("| " + " | ".join(["{}"] * len(headings)) + " |" if markdown
                     else " ".join(f"{{:{width}}}" for width in widths))
        self.row(*headings)
        if markdown:
            print("|" + "---|" * len(headings))

    def row(self, *cells):
        print(self.line.format(*cells), flush=True)
