#!/usr/bin/env python3
"""Random textures give in the simulator what they gave on an H200 (results.cu). A quarter runs; with GPUTEST_RANDOM all do.

usage: run.py <gputest-cuda> <folder to work in>
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
compiler, work = sys.argv[1], pathlib.Path(sys.argv[2])
work.mkdir(parents=True, exist_ok=True)
program = work / "results"
subprocess.run([compiler, "-O1", HERE / "results.cu", "-o", program], check=True)


def run(results, count):
    return subprocess.run([program, results, str(count)], capture_output=True, text=True)


ran = run(HERE / "h200.txt", 600 if "GPUTEST_RANDOM" in os.environ else 150)
print(ran.stdout)
if ran.returncode != 0 or ", 0 wrong" not in ran.stdout:
    sys.exit("textures give other results")

# Other results are noticed, and missing ones.
lines = (HERE / "h200.txt").read_text().splitlines()
other = work / "other.txt"
other.write_text("\n".join([lines[0], lines[1].replace("8b1", "8b2", 1).replace(lines[1].split()[1], "~1", 1)]))
ran = run(other, 2)
if ran.returncode == 0 or "texture 0 gives 8b1, not 8b2" not in ran.stdout or "texture 1 gives " + lines[1].split()[1] not in ran.stdout:
    sys.exit("wrong results are not noticed: " + ran.stdout)
if run(other, 20).returncode == 0:
    sys.exit("missing results are not noticed")
