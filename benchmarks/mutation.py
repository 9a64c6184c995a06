#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants per second: all in one program against one program each, over all examples.

usage: mutation.py <build folder> [--mutants N] [--device NAME] [--markdown]

Each harness runs the same mutants on the same cases both ways (--verify), with its device's caches of
compiled programs empty, and compares the verdicts. "built": without the time it takes to build the one
program, which is paid once. The last columns are of all mutants of the example, those with programs of
their own and those of the launch included, as `ctest -L mutation` runs them.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
VERIFIED = re.compile(r"(\d+) mutants: combined ([\d.]+) s \(([\d.]+) s of it to build\), alone ([\d.]+) s")
DIFFERING = re.compile(r"(\d+) of (\d+) verdicts differ")


def run(command):
    """With empty caches: PoCL's and NVIDIA's."""
    cache = tempfile.mkdtemp(prefix="gputest_cache_")
    environment = dict(os.environ, POCL_CACHE_DIR=cache, CUDA_CACHE_PATH=cache)
    try:
        return subprocess.run(command, capture_output=True, text=True, env=environment)
    finally:
        shutil.rmtree(cache, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=0, help="a sample of so many of each example; 0: all")
    parser.add_argument("--device", default="")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*", help="examples; all without")
    arguments = parser.parse_args()
    device_option = ["--device", arguments.device] if arguments.device else []

    rows, differing = [], 0
    for folder in sorted(EXAMPLES.iterdir()):
        name = folder.name
        harness = arguments.build / "gputest" / name / f"{name}_harness"
        if not (harness.parent / "mutants.json").exists() or (arguments.names and name not in arguments.names):
            continue
        verify = run([harness, "--mutation", f"--verify={arguments.mutants}" if arguments.mutants else "--verify", *device_option])
        verified, differs = VERIFIED.search(verify.stdout), DIFFERING.search(verify.stdout)
        if not verified or not differs:
            print(f"{name}: left out: {(verify.stdout + verify.stderr).strip().splitlines()[:1]}", file=sys.stderr)
            continue
        differing += int(differs[1])
        count, combined, build, alone = int(verified[1]), *(float(verified[i]) for i in (2, 3, 4))
        result = harness.parent / "mutation-benchmark.json"
        store = harness.parent / "mutation-benchmark.db"
        store.unlink(missing_ok=True)
        whole = run([harness, "--mutation", "--fresh", "--store", store, "--json", result, *device_option])
        if whole.returncode not in (0, 1) or not result.exists():
            print(f"{name}: left out: {whole.stderr.strip()}", file=sys.stderr)
            continue
        summary = json.loads(result.read_text())
        mutants = [mutant for file in summary["files"].values() for mutant in file["mutants"]]
        verdicts = [mutant["gputest"]["verdict"] for mutant in mutants]
        rows.append((name, count, build, max(combined - build, 0.01), alone, int(differs[1]), len(mutants),
                     summary["gputest"]["seconds"], verdicts.count("equivalent"), verdicts.count("duplicate")))

    header = ("example", "mutants", "build s", "then s", "per s", "alone s", "per s", "ratio", "built", "differ",
              "all", "in s", "equiv.", "dupl.")
    line = "| " + " | ".join("{}" for _ in header) + " |" if arguments.markdown else \
        "{:<20}" + " {:>8}" * (len(header) - 1)
    print(line.format(*header))
    if arguments.markdown:
        print("|" + "---|" * len(header))
    for name, count, build, combined, alone, differs, whole, seconds, equivalent, duplicate in rows:
        print(line.format(name, count, f"{build:.2f}", f"{combined:.2f}", f"{count / combined:.0f}", f"{alone:.1f}",
                          f"{count / alone:.1f}", f"{alone / (build + combined):.0f}", f"{alone / combined:.0f}", differs,
                          whole, f"{seconds:.1f}", equivalent, duplicate))
    total = [sum(row[i] for row in rows) for i in range(1, 10)]
    if rows:
        print(f"\n{len(rows)} examples, {total[0]} mutants: one program {total[1]:.1f} s to build and {total[2]:.1f} s to run, "
              f"one program each {total[3]:.1f} s: ratio {total[3] / (total[1] + total[2]):.0f}, once built "
              f"{total[3] / total[2]:.0f} (median of the examples {statistics.median(row[4] / row[3] for row in rows):.0f})")
        print(f"{total[4]} verdicts differ; of {total[5]} mutants in all {total[7]} are equivalent "
              f"({100 * total[7] / total[5]:.1f} %), {total[8]} duplicates ({100 * total[8] / total[5]:.1f} %)")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory of a harness: {peak:.0f} MiB")
    return 1 if differing else 0


sys.exit(main())
