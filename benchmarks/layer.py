#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the layer costs: a program by itself, with the layer and nothing to measure, and with coverage, which runs the
program a second time to compare what it reads back, or not.

    layer.py <build folder> [--runs N] [-- PROGRAM [ARGUMENT…]]

Without a program, one that does little but launch kernels (launches.c, compiled here), and one whose kernels take long.
Runs alternate; shown are medians of the seconds and of the processor's seconds, each with the median of the ratios of
runs side by side."""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(command, environment=None):
    """By the clock, and of all processors."""
    start, before = time.monotonic(), processor_seconds()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True,
                   env=dict(os.environ, **(environment or {})))
    return time.monotonic() - start, processor_seconds() - before


def measure(name, command, build, folder, runs):
    gputest, layer = build / "driver" / "gputest", build / "driver" / "libgputest_layer.so"
    run = [str(gputest), "run", "--coverage", "--no-terminal", "--output", str(folder / "out"), "--cache",
           str(folder / "cache")]
    ways = {"plain": (command, None), "passed through": (command, {"OPENCL_LAYERS": str(layer)}),
            "coverage, --no-compare": ([*run, "--no-compare", "--", *command], None),
            "coverage": ([*run, "--", *command], None)}
    for way in ways.values():  # caches
        seconds(*way)
    taken = {way: [] for way in ways}
    for _ in range(runs):
        for way, how in ways.items():
            taken[way].append(seconds(*how))
    for way, times in taken.items():
        cells = []
        for kind in (0, 1):
            ratio = statistics.median(one[kind] / plain[kind] for one, plain in zip(times, taken["plain"]))
            cells.append(f"{statistics.median(one[kind] for one in times):.3f} | {ratio:.3f}")
        print(f"| {name} | {way} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=11)
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options, program = parser.parse_args(arguments[:split]), arguments[split + 1:]
    print("| program | way | seconds | ratio | processor seconds | ratio |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if program:
            measure(pathlib.Path(program[0]).name, program, options.build.resolve(), folder, options.runs)
            return
        launches = str(folder / "launches")
        subprocess.run(["cc", "-O1", "-I", str(HERE.parent), str(HERE / "launches.c"), "-o", launches, "-lOpenCL"], check=True)
        measure("200,000 small launches", [launches, "200000", "64"], options.build.resolve(), folder, options.runs)
        measure("200 large launches", [launches, "200", "1000000"], options.build.resolve(), folder, options.runs)


if __name__ == "__main__":
    sys.exit(main())
