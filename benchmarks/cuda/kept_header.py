#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gputest-cuda takes for sources with cuda_runtime.h as a text, and as Clang keeps it.

kept_header.py GPUTEST_CUDA FOLDER RUNS SOURCE... [-- OPTION...]

Compiles each source in turn in both ways, with a cache of its own in FOLDER, which is filled before. Prints seconds
of processor, with what the compiler starts: medians, the fastest and the slowest.
"""
import os, pathlib, resource, shutil, statistics, subprocess, sys

compiler, folder, runs, *rest = sys.argv[1:]
at = rest.index("--") if "--" in rest else len(rest)
sources, options = rest[:at], rest[at + 1:]
folder = pathlib.Path(folder)
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def seconds(source, kept):
    environment = dict(os.environ, GPUTEST_CACHE_DIR=str(folder / "cache"), GPUTEST_CUDA_KEPT_HEADERS=kept)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([compiler, *options, "-c", source, "-o", str(folder / "object.o")], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


print("| source | text | kept | first time | text / kept |\n|---|---|---|---|---|")
for source in sources:
    shutil.rmtree(folder / "cache", ignore_errors=True)
    first = seconds(source, "1")
    times = {"0": [], "1": []}
    for _ in range(int(runs)):
        for kept in times:
            times[kept].append(seconds(source, kept))
    median = {kept: statistics.median(found) for kept, found in times.items()}
    cells = [f"{median[kept]:.2f} ({min(times[kept]):.2f}-{max(times[kept]):.2f})" for kept in times]
    print(f"| `{pathlib.Path(source).name}` | {cells[0]} | {cells[1]} | {first:.2f} | {median['0'] / median['1']:.2f} |")
