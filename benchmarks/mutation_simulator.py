#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants in the simulator beside those on an OpenCL device: verdicts, and mutants per second.

usage: mutation_simulator.py <build folder> [--device NAME] [--markdown] [example…]

Each harness runs all mutants on both, with empty stores. "whole": the harness's time, with compiling (the
simulator's and PoCL's caches are empty) and the original's runs. Mutants whose verdicts differ are named.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def run(harness, device):
    """Mutants by id, mutants per second once built, and seconds of it all."""
    with tempfile.TemporaryDirectory(prefix="gputest_") as folder:
        result = pathlib.Path(folder) / "mutation.json"
        environment = dict(os.environ, POCL_CACHE_DIR=f"{folder}/pocl", GPUTEST_CACHE_DIR=f"{folder}/simulator")
        start = time.perf_counter()
        ended = subprocess.run([harness, "--mutation", "--store", f"{folder}/results.db", "--json", result,
                                *(["--device", device] if device else [])],
                               capture_output=True, text=True, env=environment)
        whole = time.perf_counter() - start
        if not result.exists():
            sys.exit(f"{harness.name} --device {device}: {(ended.stdout + ended.stderr).strip()}")
        report = json.loads(result.read_text())
    mutants = {mutant["id"]: mutant for file in report["files"].values() for mutant in file["mutants"]}
    return mutants, report["gputest"]["executed"] / max(report["gputest"]["seconds"], 1e-3), whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--device", default="", help="the other device")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*", help="examples; all without")
    arguments = parser.parse_intermixed_args()
    rows, differing, total = [], [], 0
    for folder in sorted(EXAMPLES.iterdir()):
        name = folder.name
        harness = arguments.build / "gputest" / name / f"{name}_harness"
        if not (harness.parent / "mutants.json").exists() or (arguments.names and name not in arguments.names):
            continue
        (there, rate, whole), (here, own_rate, own_whole) = run(harness, arguments.device), run(harness, "simulator")
        differs = [(here[i], there[i]) for i in there if here[i]["gputest"]["verdict"] != there[i]["gputest"]["verdict"]]
        rows.append((name, len(there), f"{rate:.0f}", f"{own_rate:.0f}", f"{whole:.1f}", f"{own_whole:.1f}", len(differs)))
        differing += [(name, *pair) for pair in differs]
        total += len(there)
    header = ("example", "mutants", "device: per s", "simulator: per s", "whole s", "whole s", "differ")
    line = "| " + " | ".join("{}" for _ in header) + " |" if arguments.markdown else \
        "{:<20}" + " {:>16}" * (len(header) - 1)
    print(line.format(*header))
    if arguments.markdown:
        print("|" + "---|" * len(header))
    for row in rows:
        print(line.format(*row))
    print(f"\n{len(differing)} of {total} verdicts differ")
    for name, own, other in differing:
        where = own["location"]["start"]
        print(f"{name}:{where['line']}:{where['column']}: {own['mutatorName']}: {own['replacement']}: "
              f"simulator {own['gputest']['verdict']}, device {other['gputest']['verdict']}")


main()
