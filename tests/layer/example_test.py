"""The host program of an example as one that knows nothing of the layer.

    example_test.py <gputest> <host program> <a folder of its own>

Coverage through the layer is what the host program itself says; and its launches, captured, are test cases that leave
the same memory when the host program runs them."""
import json
import pathlib
import shutil
import subprocess
import sys

GPUTEST, HARNESS, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode == 77:
        print("skipped: no OpenCL device")
        sys.exit(77)
    return done


def covered(file):
    coverage = json.loads(pathlib.Path(file).read_text())
    outcomes = {(site["id"], site["function"], name): count > 0 for site in coverage["sites"]
                for name, count in site["outcomes"].items()}
    return coverage["kernel"], outcomes


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
own = run(HARNESS, "--coverage", "--json", str(WORK / "own.json"))
kernel, expected = covered(WORK / "own.json")

layered = run(GPUTEST, "run", "--coverage", "--no-terminal", "--output", str(WORK / "run"), "--cache", str(WORK / "cache"),
              "--", HARNESS, "--no-weak", "--json", str(WORK / "test.json"))
summary = json.loads((WORK / "run" / "run.json").read_text())
assert not summary["not_measured"], summary["not_measured"]
found = [covered(WORK / "run" / entry["results"]) for entry in summary["kernels"]]
outcomes = next(outcomes for name, outcomes in found if name == kernel)
differing = {key for key in expected.keys() | outcomes.keys() if expected.get(key) != outcomes.get(key)}
assert not differing, f"{len(differing)} outcomes differ: {sorted(differing)[:5]}"
print(f"{kernel}: {len(expected)} outcomes, {sum(expected.values())} covered, as the host program says")

captured = run(GPUTEST, "capture", "--max-cases", "1000", "--output", str(WORK / "cases"), "--cache", str(WORK / "cache"),
               "--", HARNESS, "--no-weak", "--json", str(WORK / "test.json"))
cases = sorted((WORK / "cases").glob("*.json"))
assert cases, captured.stderr
replayed = run(HARNESS, *[word for case in cases for word in ("--case-file", str(case))], "--json", str(WORK / "again.json"))
# The host program puts a guard zone behind each buffer, which is captured too; a reference function that goes through
# whole buffers computes something there.
problems = [line for line in replayed.stdout.splitlines() if "compared with" in line and "reference function" not in line]
assert replayed.returncode == 0 or "compared with the reference function" in replayed.stdout and not problems, \
    replayed.stdout + replayed.stderr
print(f"{len(cases)} launches captured and replayed")
