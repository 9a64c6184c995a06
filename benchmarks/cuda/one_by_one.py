#!/usr/bin/env python3
"""Mutants in one binary beside one compilation for each mutant: verdicts and times.

one_by_one.py EXAMPLES RESULTS NVCC COUNT JOBS > table.json

EXAMPLES: examples/cuda. RESULTS: a folder with <example>/mutation.json, as `gputest run-cuda --mutation`
writes it. A sample of COUNT mutants that were run is compiled with NVCC, each from a source of its own
in which the mutant's text is replaced, and run.
"""
import concurrent.futures, json, pathlib, random, subprocess, sys, tempfile, time

examples, results = map(pathlib.Path, sys.argv[1:3])
nvcc, count, jobs = sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
LIMIT = 15


def changed(text, mutant):
    lines = text.split("\n")
    begin = sum(len(line) + 1 for line in lines[: mutant["line"] - 1]) + mutant["column"] - 1
    end = sum(len(line) + 1 for line in lines[: mutant["end_line"] - 1]) + mutant["end_column"] - 1
    return text[:begin] + mutant["replacement"] + text[end:]


def run(one):
    example, entry = one
    mutant = entry
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
            return example, entry, "does not compile", compiled, 0, made.stderr.decode()[-300:]
        begin = time.time()
        try:
            code = subprocess.run([folder / "program"], capture_output=True, timeout=LIMIT).returncode
            verdict = "survived" if code == 0 else "killed"
        except subprocess.TimeoutExpired:
            verdict = "timeout"
        return example, entry, verdict, compiled, time.time() - begin, ""


population = []
for file in sorted(results.glob("*/mutation.json")):
    for source in json.loads(file.read_text())["files"].values():
        for entry in source["mutants"]:
            if entry["gputest"]["verdict"] in ("killed", "survived", "timeout"):
                population.append((file.parent.name, entry["gputest"]))
random.seed(17)
sample = random.sample(population, min(count, len(population)))
begin = time.time()
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    rows = list(pool.map(run, sample))
together = time.time() - begin
differences = [
    {"example": example, "mutant": entry, "one_by_one": verdict, "message": message}
    for example, entry, verdict, _, _, message in rows
    if verdict != entry["verdict"]
]
print(json.dumps({
    "population": len(population), "sample": len(rows), "same": len(rows) - len(differences),
    "seconds_together": together, "jobs": jobs,
    "seconds_compiling": sum(row[3] for row in rows), "seconds_running": sum(row[4] for row in rows),
    "differences": differences}, indent=1))
