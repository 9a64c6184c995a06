#!/usr/bin/env python3
"""Random CUDA programs do in the simulator what the same does as plain C++: as they are, with checks, which find nothing,
with their blocks in other orders, instrumented, and by way of PTX, which Clang makes of them. So do their mutants that are said to be equivalent; and those that are
said to be duplicates fail if the mutant fails that they are duplicates of.

usage: run.py <gputest-cuda> <gputest-passes> <folder of check.h> <folder to work in> <clang> [<first seed>]

GPUTEST_RANDOM says how many; a failure names the seed. Without it there is one small program, which runs with orders of
blocks, too, and of whose equivalent mutants and duplicates some run.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from program import program

compiler, passes, include, work = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
clang = sys.argv[5]
first = int(sys.argv[6]) if len(sys.argv) > 6 else 5  # its kernels compile in a third of the time of others
MANY = "GPUTEST_RANDOM" in os.environ
WAYS = [("as it is", {}),
        ("with orders of blocks", {"GPUTEST_CUDA_SCHEDULES": "2 1 all 0", "GPUTEST_CUDA_FINDINGS": str(work / "orders")}),
        ("with coverage", {"GPUTEST_CUDA_VARIANT": "coverage"})]
SMALL_WAYS = [("with mutants", {"GPUTEST_CUDA_VARIANT": "mutants"}),
              ("with all checks", {"GPUTEST_CUDA_CHECKS": "races barriers bounds uninitialized arithmetic"})]


def compared(folder):
    """The table of mutants, all of which are compared."""
    table = json.loads((folder / "mutants.json").read_text())
    if table.get("compared", True):
        return table
    ids = work / "ids"
    ids.write_text("".join(mutant["id"] + "\n" for mutant in table["mutants"]))
    subprocess.run([passes, "cuda-compare", "--folder", folder, "--mutants", ids, "--output", work / "compared.json",
                    "--time-limit", "600"], check=True)
    return json.loads((work / "compared.json").read_text())


def some(mutants):
    return mutants if MANY else mutants[:: len(mutants) // 6 + 1]


def wrong_mutants(binary):
    """Which equivalent mutants, and duplicates, do what they must not."""
    (folder,) = (work / "made").iterdir()
    table = compared(folder)
    numbers = {mutant["id"]: mutant["number"] for mutant in table["mutants"]}

    def passes_with(id):
        settings = {"GPUTEST_CUDA_VARIANT": "mutants", "GPUTEST_CUDA_BUDGET": "1000000",
                    "GPUTEST_CUDA_MUTANT": f"{folder.name}:{numbers[id]}"}
        return subprocess.run([binary], capture_output=True, timeout=600, env=os.environ | settings).returncode == 0

    equivalent = some([mutant for mutant in table["mutants"] if mutant.get("equivalent")])
    if problem := [str(mutant) for mutant in equivalent if not passes_with(mutant["id"])]:
        return "these are not equivalent:\n" + "\n".join(problem)
    if not equivalent:
        return "no mutant is equivalent"
    known = {}
    for mutant in some([mutant for mutant in table["mutants"] if mutant.get("duplicate_of")]):
        of = mutant["duplicate_of"]
        if of not in known:
            known[of] = passes_with(of)
        if passes_with(mutant["id"]) != known[of]:
            return f"this is no duplicate:\n{mutant}"
    return ""


def run_by_ptx(seed, small):
    """What is wrong with the program whose device code is PTX."""
    source, binary = work / "by_ptx.cu", work / "by_ptx"
    source.write_text(program(seed, small))
    through = {"GPUTEST_CLANG": str(pathlib.Path(__file__).parent / "by_ptx.py"), "GPUTEST_TEST_CLANG": clang}
    compiled = subprocess.run([compiler, "-std=c++17", "-O1", "-w", "-isystem", include, "-o", binary, source],
                              capture_output=True, text=True, env=os.environ | through)
    if compiled.returncode != 0:
        return f"it does not compile to PTX\n{compiled.stderr[:3000]}"
    if b".visible .entry" not in binary.read_bytes():
        return "there is no PTX in the program"
    ran = subprocess.run([binary], capture_output=True, text=True, timeout=600)
    if ran.returncode != 0 or "error: " in ran.stderr:
        return f"by way of PTX it returns {ran.returncode}\n{ran.stdout}{ran.stderr[:3000]}"
    return ""


def run(seed, small):
    """What is wrong."""
    source, binary = work / "program.cu", work / "program"
    source.write_text(program(seed, small))
    shutil.rmtree(work / "made", ignore_errors=True)
    compiled = subprocess.run([compiler, "-std=c++17", "-O1", "-w", "-isystem", include, "-o", binary, source,
                               f"--gputest-variant={'mutants' if small else 'coverage'}", f"--gputest-folder={work}/made"],
                              capture_output=True, text=True)
    if compiled.returncode != 0:
        return f"it does not compile\n{compiled.stderr[:3000]}"
    for name, settings in WAYS if not small else SMALL_WAYS if MANY else WAYS[1:2] + SMALL_WAYS:
        (work / "orders").unlink(missing_ok=True)
        try:
            ran = subprocess.run([binary], capture_output=True, text=True, timeout=600, env=os.environ | settings)
        except subprocess.TimeoutExpired:
            return f"{name} it does not end"
        if ran.returncode != 0 or "error: " in ran.stderr:
            return f"{name} it returns {ran.returncode}\n{ran.stdout}{ran.stderr[:3000]}"
        if (work / "orders").exists() and "order dependent" in (work / "orders").read_text():
            return f"{name}: {(work / 'orders').read_text()[:3000]}"
    return wrong_mutants(binary) if small else ""


work.mkdir(parents=True, exist_ok=True)
wrong = 0
for seed in range(first, first + int(os.environ.get("GPUTEST_RANDOM", "1"))):
    for small in (False, True) if MANY else (True,):
        problem = run(seed, small) or run_by_ptx(seed, small)
        if problem:
            print(f"seed {seed}{', small' if small else ''}: {problem}", flush=True)
            wrong += 1
sys.exit(wrong > 0)
