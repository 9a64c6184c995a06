#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of kernels `gputest generate` reaches, from nothing but their source.

generate.py <gputest command> <folder or file>… [--budget s] [--markdown] [--open] [--option=…] [--options FILE]

A row for each kernel of each .cl file below the folders: its outcomes, how many were reached by fuzzing, by search and
by Z3, how many are proved impossible and left open, the cases, and seconds that a processor was busy with it, compiling
with an empty cache included. --options names a file with a line for each source that its program compiles with options:
the end of its path, and these. With --mutants the mutation score, as generation counts it, of the cases that reach outcomes alone, and of
these and those that --mutants adds; mutants that are proved equivalent do not count. --open lists what is open, and the
mutants that are left. --stages adds a second table: seconds that a processor was busy with each stage of the run for
outcomes, and with --mutants of that for mutants, too. Cases go to a temporary folder.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import examples

SUMMARY = re.compile(r"^(\w+): (\d+) of (\d+) outcomes reached, (\d+) proved impossible, (?:\d+ blocked by a fault, )?(\d+) open; (\d+) launches in "
                     r"([\d.]+) s", re.M)
SOLVED = re.compile(r"^  \d+ of them by solving conditions: (\d+) by search, (\d+) by Z3", re.M)
KILLED = re.compile(r"^  (\d+) of (\d+) mutants killed, (\d+) of them by the cases that were there; "
                    r"(?:(\d+) proved equivalent, )?", re.M)


def kernel_files(paths):
    for path in paths:
        yield from [path] if path.is_file() else sorted(path.rglob("*.cl"))


def by_kernel(text):
    """What was printed of each kernel, by its name."""
    begins = [match.start() for match in SUMMARY.finditer(text)] + [len(text)]
    return {SUMMARY.match(text, begin)[1]: text[begin:end] for begin, end in zip(begins, begins[1:])}


def busy():
    """Seconds of a processor that commands have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def options_of(file, table):
    lines = (line.split() for line in table.read_text().splitlines() if line.strip()) if table else []
    return [option for end, *options in lines if file.as_posix().endswith(end) for option in options]


# Columns of --stages; the first run, and the second with --mutants.
STAGES = ("reading", "compiling", "compiling mutants", "fuzzing", "tying scalars", "solving", "proving", "hunting mutants",
          "shrinking", "recording", "explaining")


def busy_stages(file):
    """What a run says of where its seconds went, by kernel."""
    if not file.exists():
        return {}
    found = {}
    for kernel in json.loads(file.read_text())["kernels"]:
        seconds = kernel["busy"]
        found[kernel["kernel"]] = [seconds.get(stage, 0) for stage in STAGES]
    file.unlink()
    return found


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


class Sums:
    def __init__(self):
        self.numbers = [0] * 8
        self.seconds, self.killed_before, self.killed, self.mutants, self.worst = 0, 0, 0, 0, 0


def add_row(table, sums, name, text, mutants, written, seconds):
    _, reached, outcomes, impossible, is_open, launches, _ = SUMMARY.match(text).groups()
    solved = SOLVED.search(text)
    search, z3 = (int(solved[1]), int(solved[2])) if solved else (0, 0)
    numbers = [int(outcomes), int(reached) - search - z3, search, z3, int(impossible), int(is_open), written, int(launches)]
    sums.numbers = [a + b for a, b in zip(sums.numbers, numbers)]
    sums.seconds += seconds
    sums.worst = max(sums.worst, seconds)
    before = after = ""
    if match := KILLED.search(mutants):
        killed, goals, earlier, equivalent = (int(n or 0) for n in match.groups())
        before, after = percent(earlier, goals - equivalent), percent(killed, goals - equivalent)
        sums.killed_before += earlier
        sums.killed += killed
        sums.mutants += goals - equivalent
    table.row(name, *numbers[:7], f"{seconds:.1f}", before, after)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("gputest", type=pathlib.Path)
    options.add_argument("paths", type=pathlib.Path, nargs="+")
    options.add_argument("--budget", default="10")
    options.add_argument("--markdown", action="store_true")
    options.add_argument("--mutants", action="store_true", help="then kill mutants, too")
    options.add_argument("--open", action="store_true", help="list what is open below the table, and mutants that are left")
    options.add_argument("--stages", action="store_true", help="a second table: where seconds went")
    options.add_argument("--option", action="append", default=[], help="of gputest generate, such as --option=-DN=4")
    options.add_argument("--options", type=pathlib.Path, help="a file: the end of a source's path, and its options")
    given = options.parse_args()
    table = examples.Table(given.markdown, ["<44", ">8", ">8", ">8", ">6", ">10", ">6", ">6", ">8", ">8", ">8"], "kernel",
                           "outcomes", "fuzzing", "search", "Z3", "impossible", "open", "cases", "seconds", "before",
                           "after")
    sums, failed, remarks, stages = Sums(), [], [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GPUTEST_CACHE_DIR=folder + "/cache")
        for number, file in enumerate(kernel_files(given.paths)):
            cases, result = pathlib.Path(folder) / f"cases-{number}", pathlib.Path(folder) / "result.json"

            def generate(*more):
                begin = busy()
                ran = subprocess.run([given.gputest, "generate", file, "-o", cases, "--budget", given.budget, "--json",
                                      result, *more, *given.option, *options_of(file, given.options)],
                                     capture_output=True, text=True, env=environment)
                return ran, busy() - begin

            ran, seconds = generate()
            texts = by_kernel(ran.stdout)
            stages += [(f"{file.stem}: {kernel}", seconds_of) for kernel, seconds_of in busy_stages(result).items()]
            written = {kernel: len(list(cases.glob(f"{kernel}-*.json"))) for kernel in texts}
            if not texts:
                reason = (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[0]
                failed.append(f"{file.name}: {reason}")
            mutants = {}
            if given.mutants and texts:
                second, _ = generate("--mutants")
                mutants = by_kernel(second.stdout)
                stages += [(f"{file.stem}: {kernel}, mutants", seconds_of)
                           for kernel, seconds_of in busy_stages(result).items()]
            for kernel, text in texts.items():
                add_row(table, sums, f"{file.stem}: {kernel}", text, mutants.get(kernel, ""), written[kernel],
                        seconds / len(texts))
                lines = text.splitlines() + mutants.get(kernel, "").splitlines()
                remarks += [f"{file.stem}: {line.strip()}" for line in dict.fromkeys(lines)
                            if line.startswith(("  open: ", "  left: "))]
    table.row("all", *sums.numbers[:7], f"{sums.seconds:.1f}", percent(sums.killed_before, sums.mutants),
              percent(sums.killed, sums.mutants))
    if given.stages:
        print()
        columns = examples.Table(given.markdown, ["<44", *[">10"] * len(STAGES)], "kernel", *STAGES)
        for name, seconds in stages:
            columns.row(name, *[f"{one:.2f}" for one in seconds])
    for line in failed + (remarks if given.open else []):
        print(line)
    print(f"{sums.numbers[7]} launches; the slowest file took {sums.worst:.1f} s a kernel")


if __name__ == "__main__":
    sys.exit(main())
