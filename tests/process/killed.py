"""killed.py GPUTEST SOURCE_DIR WORK [--harness HARNESS] [--layer FOLDER]

Kills tracers, workers, servers, solvers, judges, instrumenters and programs at random moments, some of each kind. What others ended is tried
again: each command says what it says undisturbed, or that others ended something four times in a row. GPUTEST_RANDOM:
the number of rounds; one round kills some 20 processes. tests/cuda/killed.py does the same for CUDA programs, and
tests/runtime/harness/harness_kill_test.cpp for harnesses and their workers.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import sys

import kills
from kills import must

GPUTEST, SOURCES, WORK = (pathlib.Path(argument).absolute() for argument in sys.argv[1:4])
OPTIONS = dict(zip(sys.argv[4::2], sys.argv[5::2]))
ROUNDS = int(os.environ.get("GPUTEST_RANDOM", "1"))
KERNELS = SOURCES / "tests/testgen/kernels"
TRACED = """kernel void traced(global volatile int* p, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    p[i] = p[i] * 3 + j;
}
"""
total = collections.Counter()
chance = random.Random(36)


def run(command, names, count, **options):
    code, output, killed = kills.run([str(word) for word in command], names, count, chance, cwd=WORK, **options)
    total.update(killed)
    # Nothing is known, and nobody but those who killed is blamed.
    lost = code == 3 and len(killed) >= 4 and "times in a row" in output
    must(lost or code == 0, f"{command}: {code} after {killed}\n{output}")
    return None if lost else output, killed


def traces(count, names=("gputest-memory",)):
    output, killed = run([GPUTEST, "memory", "traced.cl", "--case", "traced.json", "--json", "memory.json"], names, count)
    return output and json.loads((WORK / "memory.json").read_text()), killed


def generates(count, names=("gputest-generat",)):
    """What is open afterwards: no outcome may be lost, and no mutant given up."""
    shutil.rmtree(WORK / "cases", ignore_errors=True)
    output, killed = run([GPUTEST, "generate", KERNELS / "conditions.cl", "--budget", "8", "-o", "cases", "--quiet",
                          "--json", "generated.json"], names, count)
    if output is None:
        return None, killed
    kernels = json.loads((WORK / "generated.json").read_text())["kernels"]
    return [[(one["line"], one["column"], one["what"], one["state"]) for one in kernel["outcomes"]] for kernel in kernels], killed


def fuzzes(count, names=("gputest-generat", pathlib.Path(OPTIONS.get("--harness", "")).name[:15])):
    output, killed = run([OPTIONS["--harness"], "--fuzz"], names, count)
    return None if output is None else True, killed


def layer(count, names=("layer_small", "gputest-passes")):
    """The verdicts on a program's mutants; those that nobody knows are None. Nothing is in the cache."""
    shutil.rmtree(WORK / "cache", ignore_errors=True)
    program = pathlib.Path(OPTIONS["--layer"]) / "layer_small"
    code, output, killed = kills.run(
        [str(GPUTEST), "run", "--mutation", "--fresh", "--operators", "relational_replacement", "--sample", "10", "--baseline",
         "2", "--output", str(WORK / "layer"), "--", str(program), "clamp.cl", "20", "check"],
        names, count, chance, env={**os.environ, "GPUTEST_CACHE_DIR": str(WORK / "cache")}, cwd=SOURCES / "tests/layer/programs")
    total.update(killed)
    if code == 3 and len(killed) >= 4 and "times in a row" in output:
        return None, killed
    must(code in (0, 77), f"{code} after {killed}\n{output}")
    if code == 77:
        return {}, killed
    results = json.loads((WORK / "layer/mutation.json").read_text())
    return {mutant["id"]: mutant["gputest"]["verdict"] for file in results["files"].values() for mutant in file["mutants"]}, killed


undisturbed = {}


def compare(what, counts, *names):
    if what not in undisturbed:
        undisturbed[what], killed = what(0)
        must(undisturbed[what] is not None and not killed, f"{what.__name__}: undisturbed it does not work")
    quiet = undisturbed[what]
    for count in counts:
        result, killed = what(count, *names)
        if isinstance(result, dict) and what is layer:
            must(result.keys() == quiet.keys(), f"{what.__name__}: mutants are lost after {killed}")
            result = {name: quiet[name] if verdict == "undecided" and len(killed) >= 4 else verdict
                      for name, verdict in result.items()}
        must(result is None or result == quiet, f"{what.__name__}: {result}, not {quiet}, after {killed}")


def meet(what, *kinds):
    kills.meet(kinds, total, lambda kind: compare(what, (1,), (kind,)))


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
(WORK / "traced.cl").write_text(TRACED)
(WORK / "traced.json").write_text(json.dumps({"name": "traced", "global_size": [32], "local_size": [32],
                                              "arguments": {"p": [1] * 32, "n": 3000}}))
for _ in range(ROUNDS):
    compare(traces, (1, 9))
    compare(generates, (5,))
    compare(generates, (3,), ("gputest-solver",))  # they live for less than a tenth of the time
    if "--harness" in OPTIONS:
        compare(fuzzes, (5,))
    if "--layer" in OPTIONS:
        compare(layer, (8,))
meet(traces, "fork of gputest-memory")
meet(generates, "fork of gputest-generat", "gputest-solver")
if "--harness" in OPTIONS:
    meet(fuzzes, "judge", "fork of gputest-generat")
if "--layer" in OPTIONS and undisturbed[layer]:
    meet(layer, "layer_small", "gputest-passes")
print(dict(total))
