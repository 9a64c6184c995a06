#!/usr/bin/env python3
"""Random CUDA programs do in the simulator what the same does as plain C++: as they are, with checks, which find nothing,
with their blocks in other orders, and instrumented.

usage: run.py <gputest-cuda> <folder of check.h> <folder to work in> [<first seed>]

GPUTEST_RANDOM says how many; a failure names the seed.
"""
import os
import pathlib
import subprocess
import sys

from program import program

compiler, include, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
WAYS = [("as it is", {}),
        ("with orders of blocks", {"GPUTEST_CUDA_SCHEDULES": "2 1 all 0", "GPUTEST_CUDA_FINDINGS": str(work / "orders")}),
        ("with coverage", {"GPUTEST_CUDA_VARIANT": "coverage"})]
SMALL_WAYS = [("with mutants", {"GPUTEST_CUDA_VARIANT": "mutants"}),
              ("with all checks", {"GPUTEST_CUDA_CHECKS": "races barriers bounds uninitialized arithmetic"})]


def run(seed, small):
    """What is wrong."""
    source, binary = work / "program.cu", work / "program"
    source.write_text(program(seed, small))
    compiled = subprocess.run([compiler, "-std=c++17", "-O1", "-w", "-isystem", include, "-o", binary, source,
                               f"--gputest-variant={'mutants' if small else 'coverage'}", f"--gputest-folder={work}/made"],
                              capture_output=True, text=True)
    if compiled.returncode != 0:
        return f"it does not compile\n{compiled.stderr[:3000]}"
    for name, settings in SMALL_WAYS if small else WAYS:
        (work / "orders").unlink(missing_ok=True)
        try:
            ran = subprocess.run([binary], capture_output=True, text=True, timeout=600, env=os.environ | settings)
        except subprocess.TimeoutExpired:
            return f"{name} it does not end"
        if ran.returncode != 0 or "error: " in ran.stderr:
            return f"{name} it returns {ran.returncode}\n{ran.stdout}{ran.stderr[:3000]}"
        if (work / "orders").exists() and "order dependent" in (work / "orders").read_text():
            return f"{name}: {(work / 'orders').read_text()[:3000]}"
    return ""


work.mkdir(parents=True, exist_ok=True)
wrong = 0
for seed in range(first, first + int(os.environ.get("GPUTEST_RANDOM", "1"))):
    for small in (False, True):
        if problem := run(seed, small):
            print(f"seed {seed}{', small' if small else ''}: {problem}", flush=True)
            wrong += 1
sys.exit(wrong > 0)
