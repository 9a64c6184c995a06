#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program_forks.py GPUTEST PROGRAM... [-- ROUNDS]

Mutants of CUDA programs in the simulator, in forks and in processes of their own, alternating, a sample of 30, one at
a time, without those that end by the time limit. The programs are built with `gputest-cuda --gputest-variant=mutants`.
Prints a row of docs/mutation-speed.md for each: medians over the rounds, and in parentheses the shortest and longest.
The expression is that of PolyBench-ACC's own check.
"""
import json, os, statistics, subprocess, sys, tempfile, time

GPUTEST = os.path.abspath(sys.argv[1])
words = sys.argv[2:]
ROUNDS = int(words[words.index("--") + 1]) if "--" in words else 5
PROGRAMS = words[:words.index("--")] if "--" in words else words


def own_time(program):
    """Seconds of the program without a mutant, with the device code that has them."""
    with tempfile.TemporaryDirectory() as records:
        environment = dict(os.environ, GPUTEST_CUDA_VARIANT="mutants", GPUTEST_CUDA_RECORDS=records)
        begin = time.monotonic()
        subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.monotonic() - begin


def mutants(program, *options):
    """(seconds of all mutants that end in time, each), verdicts by id, number of those."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([GPUTEST, "run-cuda", "--mutation", "--fresh", "--no-simulator", "-o", folder, "--source-root",
                        os.path.dirname(program), "--setting", "mutation.jobs=1", "--setting", "mutation.sample=30", "--oracle", "output",
                        "--fail-regex", "Percent: [1-9]", *options, "--", program],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(f"{folder}/mutation.json") as file:
            result = json.load(file)
    all_of = [one for of in result["files"].values() for one in of["mutants"]]
    ran = [one for one in all_of if one["gputest"].get("seconds")]
    late_ones = [one for one in ran if one["status"] == "Timeout"]
    late = sum(one["gputest"]["seconds"] for one in late_ones)
    return (result["gputest"]["seconds"] - late) / max(len(ran) - len(late_ones), 1), \
        {one["id"]: one["gputest"]["verdict"] for one in all_of if one not in late_ones}, len(ran) - len(late_ones)


def row(values, scale=1000):
    return f"{statistics.median(values) * scale:.1f} ({min(values) * scale:.1f}–{max(values) * scale:.1f})"


print("| program | mutants | program, ms | in forks, ms a mutant | in processes of their own, ms a mutant | ratio | differ |")
print("|---|---|---|---|---|---|---|")
for program in map(os.path.abspath, PROGRAMS):
    own, forks, whole, differ = [], [], [], 0
    own_time(program)
    for _ in range(ROUNDS):
        own.append(own_time(program))
        seconds, there, count = mutants(program)
        forks.append(seconds)
        seconds, here, _ = mutants(program, "--whole-runs")
        whole.append(seconds)
        differ = max(differ, sum(there[one] != here[one] for one in there.keys() & here.keys()))
    ratio = statistics.median(w / f for w, f in zip(whole, forks))
    print(f"| {os.path.basename(program)} | {count} | {row(own)} | {row(forks)} | {row(whole)} | {ratio:.1f} | {differ} |", flush=True)
