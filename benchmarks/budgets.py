#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long programs take that were given a number of seconds.

budgets.py <build folder> [--seconds 1,2,5] [--only NAME] [--markdown]

A row for each command and number of seconds n, from empty caches: seconds of a processor, by the clock, and how many
more than n the former are. On an idle machine, both are nearly the same, but for what runs side by side.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import examples

KERNELS = examples.FOLDER


def harness(build, name):
    return build / "gputest" / name / f"{name}_harness"


def commands(build):
    """Names, and the words for a folder and a number of seconds."""
    gputest = build / "driver" / "gputest"
    for name in ("lookup/lookup.cl", "bfs/bfs.cl", "stencil/stencil.cl", "inference/kernels/layer_norm.cl"):
        yield (f"generate {name} --budget n", lambda folder, n, name=name:
               [gputest, "generate", KERNELS / name, "-o", folder / "cases", "--budget", n])
    for name in ("lookup/lookup.cl", "bfs/bfs.cl", "stencil/stencil.cl"):
        yield (f"fuzz {name} --seconds n", lambda folder, n, name=name:
               [gputest, "fuzz", KERNELS / name, "-o", folder / "cases", "--seconds", n])
    for name in ("lookup", "stencil"):
        yield (f"{name}_harness --fuzz=n", lambda folder, n, name=name:
               [harness(build, name), f"--fuzz={n}", "--json", folder / "fuzz.json"])
    for name in ("bfs", "scalar_product", "bitonic"):
        yield (f"memory {name}.cl --strategy guided --budget n", lambda folder, n, name=name:
               [gputest, "memory", KERNELS / "memory" / f"{name}.cl", "--case", KERNELS / "memory" / f"{name}.json",
                "--strategy", "guided", "--budget", n])
    for name in ("interpreter", "stencil"):
        yield (f"{name}_harness --mutation --time-limit ns", lambda folder, n, name=name:
               [harness(build, name), "--mutation", "--fresh", "--time-limit", f"{n}s", "--store", folder / "results.db",
                "--json", folder / "mutation.json"])


def measured(words, folder):
    """Seconds of a processor and by the clock."""
    environment = dict(os.environ, GPUTEST_CACHE_DIR=str(folder / "cache"), POCL_CACHE_DIR=str(folder / "pocl"))
    (folder / "pocl").mkdir()
    begin = time.perf_counter()
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             env=environment, cwd=folder)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):  # 1: what was looked for is there
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {child.returncode}\n{said.decode()}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - begin


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--seconds", default="1,2,5")
    options.add_argument("--only", default="", help="commands whose name has this")
    options.add_argument("--markdown", action="store_true")
    given = options.parse_args()
    build = given.build.resolve()
    table = examples.Table(given.markdown, ["<56", ">3", ">12", ">9", ">6"], "command", "n", "processor, s", "clock, s",
                           "more")
    over = []
    for name, words in commands(build):
        if given.only not in name:
            continue
        for seconds in given.seconds.split(","):
            with tempfile.TemporaryDirectory() as text:
                folder = pathlib.Path(text)
                processor, clock = measured(words(folder, seconds), folder)
            more = processor - float(seconds)
            over.append(more)
            table.row(f"`{name}`" if given.markdown else name, seconds, f"{processor:.2f}", f"{clock:.2f}", f"{more:+.2f}")
    print(f"\nmore than n: median {statistics.median(over):.2f} s, most {max(over):.2f} s")


if __name__ == "__main__":
    main()
