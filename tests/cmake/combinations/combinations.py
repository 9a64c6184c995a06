"""Writes kernels.cmake: calls of gputest_add_kernel() in which each pair of settings occurs.

    python combinations.py <source folder> <seed> <how many calls; 0: as many as all pairs take>

Prints the number of pairs, and of those that occur. The kernel is right, so whatever the settings are, all tests must
pass. A call with the settings FAULT is that of a faulty twin, whose test must fail.
"""

import itertools
import random
import sys

# Each setting: what it may be. The first is the usual one.
SETTINGS = {
    "language": ["cl", "cu", "clcpp", "hip"],
    "entry": ["", "KERNEL scale"],
    "values": ["arguments", "cases", "both"],
    "oracle": ["", "REFERENCE reference.cpp", "REFERENCE reference.cpp REFERENCE_FUNCTION own::of_kernel",
               "REFERENCE_KERNEL simple.cl GLOBAL_SIZE 1 ARGUMENTS z=y",
               "REFERENCE_KERNEL simple.cu KERNEL simple GLOBAL_SIZE n LOCAL_SIZE 1 ARGUMENTS z=y",
               "REFERENCE_KERNEL simple.clcpp GLOBAL_SIZE 1 LOCAL_SIZE 1 ARGUMENTS z=y",
               "PROPERTY property.cpp"],
    "tolerance": ["", "TOLERANCE ABSOLUTE 0", "TOLERANCE RELATIVE 0 ABSOLUTE 0"],
    "definitions": ["FACTOR=5", '"$<1:FACTOR=5>" UNUSED', 'FACTOR=5 "TEXT=a b"'],
    "standard": ["", "first", "last"],
    "options": ["", "-cl-mad-enable", "-cl-opt-disable"],
    "memory": ["", "SHARED_MEMORY 64"],
    "warp": ["", "WARP_SIZE 32", "WARP_SIZE 64"],
    "coverage": ["", "COVERAGE", "COVERAGE STATEMENT 100 BARRIER 100"],
    "mutation": ["", "MUTATION SAMPLE 3", "MUTATION SAMPLE 3 OPERATORS gpu REPEAT 1 ALL_CASES",
                 "MUTATION SAMPLE 3 FUNCTIONS scale affine THRESHOLD 0", "MUTATION SAMPLE 3 SHARDS 2 TIME_LIMIT 1min",
                 "MUTATION SAMPLE 3 FILES kernel.* OPERATORS conventional TIMEOUT_FACTOR 20"],
    "schedules": ["", "SCHEDULES 2", "SCHEDULES 2 STRATEGY permute SEED 3 REPEAT 1",
                  "SCHEDULES 1 STRATEGY serial SHARDS 2", "SCHEDULES 2 STRATEGY reverse TIME_LIMIT 1min"],
    "check": ["", "CHECK", "CHECK RACES BARRIERS BOUNDS UNINITIALIZED ARITHMETIC OVERFLOW EXITS", "CHECK RACES_IN_STEP"],
    "measure": ["", "MEMORY 2 SEED 2", "MEMORY 2 GPU h200 OVERHEAD 90 ISSUES 50", "MEMORY 2 SHARDS 2"],
    "generate": ["", "GENERATE BUDGET 2", 'GENERATE BRANCH MUTANTS INTO "new cases" SEED 4'],
    "discover": ["", "DISCOVER"],
    "timeout": ["", "TIMEOUT 600 LABELS mine other"],
    "device": ["", "DEVICE simulator", "DEVICES simulator cpu"],
}
STANDARDS = {"cl": ["CL_STD CL1.2", "CL_STD CL3.0"], "clcpp": ["CL_STD CLC++1.0", "CL_STD CLC++2021"]}
OPENCL = ("cl", "clcpp")


def is_offered(row):
    """What the manual says goes together; other calls are refused by name (tests/cmake/errors)."""
    if row["language"] in OPENCL:
        return not row["memory"] and not row["warp"] and not (row["language"] == "clcpp" and "cpu" in row["device"])
    return not row["options"] and "cpu" not in row["device"]


def pairs_of(row):
    return set(itertools.combinations(sorted(row.items()), 2))


def partly_offered(pair):
    """Whether some offered call has these two settings."""
    fixed = dict(pair)
    return any(is_offered({**{name: values[0] for name, values in SETTINGS.items()}, "language": language, **fixed})
               for language in SETTINGS["language"])


def rows_of(seed, count):
    """Greedy: the next call is that of 30 random ones with most pairs that have not occurred."""
    numbers = random.Random(seed)
    left = {pair for one, other in itertools.combinations(sorted(SETTINGS), 2)
            for pair in itertools.product(((one, value) for value in SETTINGS[one]),
                                          ((other, value) for value in SETTINGS[other])) if partly_offered(pair)}
    total = len(left)
    rows = []
    while left and (not count or len(rows) < count):
        best, gain = None, set()
        for _ in range(30):
            row = dict(numbers.choice(sorted(left)))
            for name, values in sorted(SETTINGS.items(), key=lambda _: numbers.random()):
                row.setdefault(name, numbers.choice(values))
            if is_offered(row) and len(pairs_of(row) & left) > len(gain):
                best, gain = row, pairs_of(row) & left
        if best:
            rows.append(best)
            left -= gain
    print(f"{total} pairs of settings, {total - len(left)} of them in {len(rows)} calls")
    return rows


def call_of(number, row, more=""):
    opencl = row["language"] in OPENCL
    words = [f"SOURCE kernel.{row['language']}", row["entry"], "GLOBAL_SIZE 64  LOCAL_SIZE 16"]
    if row["values"] != "cases":
        words.append(f'ARGUMENTS n={(64, 60, 1)[number % 3]} "x:size=64,fill=random(-99,99)" y:size=64'
                     + (" tile:size=16,local" if opencl else ""))
    if row["values"] != "arguments":
        words.append(f'TEST_CASES "cases of {"OpenCL" if opencl else "CUDA"}/*.json"')
    words += [row["oracle"], row["tolerance"],
              f"DEFINITIONS {row['definitions']} {'HAS_TILE' if opencl else ''} {more}", 'INCLUDE_DIRECTORIES "in clude"']
    if row["standard"]:
        words.append(STANDARDS.get(row["language"], ["CXX_STANDARD 17", "CXX_STANDARD 20"])[row["standard"] == "last"])
    if row["options"]:
        words.append(f"BUILD_OPTIONS {row['options']}")
    words += [row[name] for name in ("memory", "warp", "coverage", "mutation", "schedules", "check", "measure",
                                     "generate", "discover", "timeout", "device")]
    name = f"faulty{number}" if more else f"right{number}"
    return f"gputest_add_kernel({name}\n  " + "\n  ".join(word for word in words if word) + ")\n"


folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rows = rows_of(seed, count)
# A twin needs something that says what is right. With DISCOVER the tests of its cases would fail.
faulty = [(number, {**row, "discover": ""}) for number, row in enumerate(rows)
          if row["oracle"] or row["values"] != "arguments"][:6]
# The same texts in the languages that read them, too.
for name, text in (("kernel.clcpp", "kernel.cl"), ("simple.clcpp", "simple.cl"), ("kernel.hip", "kernel.cu")):
    with open(f"{folder}/{text}", encoding="utf-8") as source, open(f"{folder}/{name}", "w", encoding="utf-8") as copy:
        copy.write(("#include <hip/hip_runtime.h>\n" if name.endswith(".hip") else "") + source.read())
with open(f"{folder}/kernels.cmake", "w", encoding="utf-8") as file:
    file.writelines(call_of(number, row) for number, row in enumerate(rows))
    file.writelines(call_of(number, row, "FAULT=1") for number, row in faulty)
