#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs take from a cold start.

starts.py <kernel.cl> <gputest command>… [--also "words"]… [--times n]

A row for each command and each thing that it does with the kernel: its version, which is its own start; its subcommand
for test cases with an empty cache; and the same with the cache that this leaves. So are commands measured that --also
names, such as a host program with `--check`, or a CUDA program. The numbers are medians of milliseconds, of a processor
and by the clock, with the least and the most. Where several commands are given, such as builds before and after a
change, they take turns.
"""
import argparse
import os
import pathlib
import shlex
import statistics
import subprocess
import tempfile
import time

import examples


def measured(words, environment):
    begin = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {child.returncode}")
    return 1e3 * (used.ru_utime + used.ru_stime), 1e3 * (time.perf_counter() - begin)


def shown(numbers):
    return f"{statistics.median(numbers):.1f} ({min(numbers):.1f}–{max(numbers):.1f})"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("kernel", type=pathlib.Path)
    options.add_argument("gputest", type=pathlib.Path, nargs="+")
    options.add_argument("--also", action="append", default=[], help="a command, which is run as it is")
    options.add_argument("--times", type=int, default=11)
    options.add_argument("--markdown", action="store_true")
    given = options.parse_args()
    found = {}
    for _ in range(given.times):
        for command in given.gputest:
            with tempfile.TemporaryDirectory() as folder:
                environment = dict(os.environ, GPUTEST_CACHE_DIR=folder + "/cache")
                for name, words in (("start", ["--version"]), ("generate, cold", ["generate", given.kernel, "-o", folder + "/1"]),
                                    ("generate, again", ["generate", given.kernel, "-o", folder + "/2"])):
                    found.setdefault((name, command), []).append(measured([command, *words], environment))
        for command in given.also:
            with tempfile.TemporaryDirectory() as folder:
                environment = dict(os.environ, GPUTEST_CACHE_DIR=folder + "/cache")
                for name in ("cold", "again"):
                    found.setdefault((name, command), []).append(measured(shlex.split(command), environment))
    table = examples.Table(given.markdown, ["<18", "<44", ">22", ">22"], "what", "command", "processor, ms", "clock, ms")
    for (name, command), numbers in found.items():
        table.row(name, str(command), shown([one[0] for one in numbers]), shown([one[1] for one in numbers]))


if __name__ == "__main__":
    main()
