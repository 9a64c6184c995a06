#!/usr/bin/env python3
"""PTX's instructions give in the simulator what they gave on an H200 (results.cu). One of eleven runs; with GPUTEST_RANDOM all do.

usage: run.py <gputest-cuda> <folder to work in>
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
compiler, work = sys.argv[1], pathlib.Path(sys.argv[2])
work.mkdir(parents=True, exist_ok=True)
instructions, program = work / "instructions.txt", work / "results"
instructions.write_bytes(subprocess.run([sys.executable, HERE / "instructions.py"], check=True, capture_output=True).stdout)
subprocess.run([compiler, "-O1", HERE / "results.cu", "-o", program, "-lcuda"], check=True)


def run(results, step):
    return subprocess.run([program, instructions, results, step], capture_output=True, text=True)


ran = run(HERE / "h200.txt", "1" if "GPUTEST_RANDOM" in os.environ else "11")
print(ran.stdout)
if ran.returncode != 0 or ", 0 wrong" not in ran.stdout:
    sys.exit("instructions give other results")

# Another result is noticed, and a list of another length.
lines = (HERE / "h200.txt").read_text().splitlines()
other = work / "other.txt"
other.write_text("\n".join([lines[0], ("000" if lines[1][:3] != "000" else "001") + lines[1][3:], *lines[2:]]))
ran = run(other, "100000")
if ran.returncode == 0 or "add.u16 d, a, b; gives " not in ran.stdout:
    sys.exit("a wrong result is not noticed: " + ran.stdout)
other.write_text("\n".join(lines[:-1]))
if run(other, "1").returncode == 0:
    sys.exit("missing results are not noticed")
