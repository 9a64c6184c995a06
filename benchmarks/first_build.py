#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processor time of the first run of all mutants of an example, by what takes it, over all examples.

usage: first_build.py <build folder> [--markdown] [example…]

Each harness runs all of its mutants with empty stores and caches: those with programs of their own,
survivors in the simulator and proofs included. Cells are seconds of a processor, by samples of `perf
record`, so other programs on the machine change them little. "alone" is that of a mutant in a program
of its own, from the difference between --verify with 8 mutants and with 2. "ratio" is that of all
mutants alone to all of the run.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile

import examples

FREQUENCY = 1000  # samples a second
PARTS = {"gputest-simulat": "simulator", "gputest-solver": "proofs", "gputest-generat": "proofs", "ld": "linker",
         "gputest-passes": "passes", "gputest": "passes"}  # by the name that the system keeps; all else is the harness


def run(command, folder):
    """With empty caches. Returns the seconds of a processor that it took."""
    with tempfile.TemporaryDirectory(dir=folder) as caches:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, env=dict(os.environ, POCL_CACHE_DIR=caches, GPUTEST_CACHE_DIR=caches))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parts_of(samples):
    text = subprocess.run(["perf", "report", "-i", samples, "--no-children", "--stdio", "-n", "--sort", "comm"],
                          capture_output=True, text=True, check=True).stdout
    parts = dict.fromkeys(("harness", "linker", "simulator", "proofs", "passes"), 0.0)
    for line in text.splitlines():
        if found := re.match(r"\s*[\d.]+%\s+(\d+)\s+(\S+)", line):
            parts[PARTS.get(found[2], "harness")] += int(found[1]) / FREQUENCY
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*", help="examples; all without")
    arguments = parser.parse_intermixed_args()
    table = examples.Table(arguments.markdown, ("<20", *[">9"] * 9), "example", "mutants", "harness", "linker", "simulator",
                           "proofs", "passes", "all s", "alone s", "ratio")
    total = mutants_alone = 0.0
    for folder in sorted(examples.FOLDER.iterdir()):
        name = folder.name
        harness = arguments.build / "gputest" / name / f"{name}_harness"
        if not (harness.parent / "mutants.json").exists() or (arguments.names and name not in arguments.names):
            continue
        with tempfile.TemporaryDirectory(prefix="gputest_") as scratch:
            result, samples = pathlib.Path(scratch) / "mutation.json", pathlib.Path(scratch) / "samples"
            run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", samples, harness, "--mutation", "--fresh",
                 "--store", f"{scratch}/results.db", "--json", result], scratch)
            parts = parts_of(samples)
            report = json.loads(result.read_text())
            verdicts = [mutant["gputest"]["verdict"] for file in report["files"].values() for mutant in file["mutants"]]
            ran = sum(verdict not in ("duplicate", "equivalent", "ignored") for verdict in verdicts)
            few, more = (run([harness, "--mutation", f"--verify={count}"], scratch) for count in (2, 8))
            alone = (more - few) / 6
        whole = sum(parts.values())
        total, mutants_alone = total + whole, mutants_alone + ran * alone
        table.row(name, ran, *(f"{seconds:.2f}" for seconds in parts.values()), f"{whole:.2f}", f"{alone:.3f}",
                  f"{ran * alone / whole:.1f}")
    if total:
        print(f"\nall: {total:.1f} s, alone {mutants_alone:.1f} s, ratio {mutants_alone / total:.1f}")


main()
