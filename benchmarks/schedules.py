#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In how many of N runs with different random orders the faults of examples/races are found, and their twins
reported.

usage: schedules.py <build folder> [--runs N] [--threads 1,2] [--device NAME] [--markdown]

A run is a copy of the example's case under a name of its own, on which its random orders and inputs depend,
with the default ten schedules. Threads are those of PoCL (POCL_MAX_PTHREAD_COUNT); other devices ignore them.
"""
import collections
import json
import os
import pathlib
import sys
import tempfile

import examples

RACES = examples.FOLDER / "races"


def verdicts(build, name, kernel, threads, arguments, folder):
    case = json.loads((RACES / "cases" / f"{kernel}.json").read_text())[0]
    cases = [dict(case, name=f"run {i}") for i in range(1, arguments.runs + 1)]
    case_file, result = folder / "cases.json", folder / "schedules.json"
    case_file.write_text(json.dumps(cases))
    command = [build / "gputest" / name / f"{name}_harness", "--schedules", "--case-file", case_file, "--json", result]
    if arguments.device:
        command += ["--device", arguments.device]
    examples.run(command, dict(os.environ, POCL_MAX_PTHREAD_COUNT=str(threads)))
    found = json.loads(result.read_text())
    kinds = collections.Counter(finding["kind"] for case in found["cases"] for finding in case["findings"])
    return found["device"], sum(bool(case["findings"]) for case in found["cases"]), kinds


def main():
    parser = examples.parser(__doc__, runs=100)
    parser.add_argument("--threads", default="1,2")
    arguments = parser.parse_args()
    table = examples.Table(arguments.markdown, ("<14", ">7", ">12", ">13", ""),
                           "kernel", "threads", "fault found", "twin reported", "findings")
    held = True
    with tempfile.TemporaryDirectory() as folder:
        for threads in (int(text) for text in arguments.threads.split(",")):
            for case_file in sorted((RACES / "cases").glob("*.json")):
                kernel = case_file.stem
                if kernel == "float_sum": # has no fault
                    continue
                rows = [verdicts(arguments.build, f"race_{kernel}{end}", kernel, threads, arguments, pathlib.Path(folder))
                        for end in ("", "_fixed")]
                (device, found, kinds), (_, reported, _) = rows
                held = held and found >= 0.99 * arguments.runs and reported == 0
                table.row(kernel, threads, f"{found}/{arguments.runs}", f"{reported}/{arguments.runs}",
                          ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    print(f"\n{device}: {'as it must be' if held else 'NOT as it must be'}: at least 99 of 100 found, no twin reported")
    sys.exit(0 if held else 1)


main()
