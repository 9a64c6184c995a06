#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants in one binary beside one compilation for each mutant: verdicts and times.

one_by_one.py EXAMPLES TABLES RESULTS NVCC COUNT JOBS > table.json

EXAMPLES: examples/cuda. TABLES: a folder with <source>/mutants.json, as the instrumented copies are made from.
RESULTS: a folder with <example>/mutation.json, as `gputest run-cuda --mutation` writes it. A sample of COUNT
mutants that were run is compiled with NVCC, each from a source of its own in which the mutant's text is
replaced, and run. Loops that go once more have no text, and are not in the population.
"""
import concurrent.futures, json, pathlib, random, subprocess, sys, tempfile, time

examples, tables, results = map(pathlib.Path, sys.argv[1:4])
nvcc, count, jobs = sys.argv[4], int(sys.argv[5]), int(sys.argv[6])
LIMIT = 15
STATEMENTS = {"statement_deletion", "barrier_deletion", "sync_removal", "fence_replacement", "share_removal", "atom_removal",
              "alloc_swap", "alloc_increment", "alloc_decrement", "volatile_removal"}


def changed(text, mutant):
    lines = text.split("\n")
    begin = sum(len(line) + 1 for line in lines[: mutant["line"] - 1]) + mutant["column"] - 1
    end = sum(len(line) + 1 for line in lines[: mutant["end_line"] - 1]) + mutant["end_column"] - 1
    by = mutant["replacement"]
    if not STATEMENTS & set(mutant["operators"]):
        by = "(" + by + ")"  # it was one operand
    return text[:begin] + by + text[end:]


def run(one):
    example, mutant, verdict = one
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = []
        for file in (examples / example).iterdir():
            text = file.read_text()
            if pathlib.Path(mutant["file"]).name == file.name:
                text = changed(text, mutant)
            (folder / file.name).write_text(text)
            if file.suffix in (".cu", ".cpp"):
                sources.append(str(folder / file.name))
        begin = time.time()
        made = subprocess.run([nvcc, "-w", "-O3", "-std=c++17", "-arch=sm_90", "-o", folder / "program", *sources],
                              capture_output=True)
        compiled = time.time() - begin
        if made.returncode:
            return example, mutant, verdict, "does not compile", compiled, 0, made.stderr.decode()[-300:]
        begin = time.time()
        try:
            code = subprocess.run([folder / "program"], capture_output=True, timeout=LIMIT).returncode
            own = "survived" if code == 0 else "killed"
        except subprocess.TimeoutExpired:
            own = "timeout"
        return example, mutant, verdict, own, compiled, time.time() - begin, ""


proposals = {}
for file in tables.glob("*/mutants.json"):
    for mutant in json.loads(file.read_text())["mutants"]:
        proposals[mutant["file"], mutant["id"]] = mutant
population, wordless = [], 0
for file in sorted(results.glob("*/mutation.json")):
    for source in json.loads(file.read_text())["files"].values():
        for entry in source["mutants"]:
            verdict = entry["gputest"]["verdict"]
            mutant = proposals[entry["gputest"]["file"], entry["id"]]
            if verdict not in ("killed", "survived", "timeout"):
                continue
            if "/*" in mutant["replacement"]:
                wordless += 1
            else:
                population.append((file.parent.name, mutant, verdict))
random.seed(17)
sample = random.sample(population, min(count, len(population)))
begin = time.time()
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    rows = list(pool.map(run, sample))
together = time.time() - begin
differences = [
    {"example": example, "mutant": mutant, "one_binary": verdict, "one_by_one": own, "message": message}
    for example, mutant, verdict, own, _, _, message in rows
    if own != verdict
]
print(json.dumps({
    "population": len(population), "left_out": wordless, "sample": len(rows), "same": len(rows) - len(differences),
    "seconds_together": together, "jobs": jobs,
    "seconds_compiling": sum(row[4] for row in rows), "seconds_running": sum(row[5] for row in rows),
    "seconds_by_example": {example: [sum(row[4] for row in rows if row[0] == example),
                                     sum(row[5] for row in rows if row[0] == example),
                                     sum(row[0] == example for row in rows)]
                           for example in sorted({row[0] for row in rows})},
    "differences": differences}, indent=1))
