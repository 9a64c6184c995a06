#!/usr/bin/env python3
"""Calls each function of device code with edges and random values, and compares what it returns with an oracle.

usage: run.py <compiler> <folder to work in> [<seed> [<option of the compiler>…]]

The compiler is gputest-cuda or nvcc: nothing here is the project's own. Without GPUTEST_RANDOM a part of the table runs
with few calls; with it, everything does, GPUTEST_RANDOM times with other values. GPUTEST_FUNCTIONS is a regular expression
of the calls that are tried.
"""
import os
import re
import sys

from compiled import run, settings
from math_table import math, narrow
from table import TYPES, arithmetic, casts, integers, name_of, words

GROUPS = {"integers": integers, "words": words, "casts": casts, "arithmetic": arithmetic, "math": math, "narrow": narrow}
ROWS_OF_A_KERNEL = 24


def program(rows, rounds, calls, seed):
    text = ['#include "oracles.h"', '#include "real.h"', ""]
    kernels = [rows[at:at + ROWS_OF_A_KERNEL] for at in range(0, len(rows), ROWS_OF_A_KERNEL)]
    row_at = 0
    for number, some in enumerate(kernels):
        text += ["__global__ void kernel%d(const Inputs* in, unsigned long long* out, int calls) {" % number,
                 "  const int n = blockIdx.x * blockDim.x + threadIdx.x;", "  if (n >= calls)", "    return;", "  const Picked at = pick(n);"]
        for row in some:
            arguments = " ".join("const %s %s = in->%s[at.%s];" % (TYPES[of], name, of, name) for of, name in zip(row.arguments, "abc"))
            text.append("  { %s put(out, %d, n, calls, %s); }" % (arguments, row_at, row.call))
            row_at += 1
        text.append("}")
    text += ["struct Row {", "  const char *call, *arguments;", "  Expected (*expected)(const Inputs&, Picked);", "};", "static const Row rows[] = {"]
    for row in rows:
        arguments = " ".join("const %s %s = in.%s[at.%s];" % (TYPES[of], name, of, name) for of, name in zip(row.arguments, "abc"))
        when = "if (!(%s)) return skipped(); " % row.when if row.when and row.when != "true" else ""
        text.append('    {"%s", "%s", [](const Inputs& in, Picked at) -> Expected { %s %sreturn %s; }},'
                    % (name_of(row).replace('"', '\\"'), row.arguments, arguments, when, row.expected))
    text += ["};", "static void launch(int kernel, const Inputs* in, unsigned long long* out, int calls) {", "  switch (kernel) {"]
    for number in range(len(kernels)):
        text.append("  case %d: kernel%d<<<(calls + 127) / 128, 128>>>(in, out, calls); break;" % (number, number))
    text += ["  }", "}", "constexpr int kKernels = %d, kRounds = %d, kCalls = %d;" % (len(kernels), rounds, calls), "constexpr unsigned kSeed = %d;" % seed,
             '#include "compare.h"', ""]
    return "\n".join(text)


def main():
    compiler, folder, seed, options, rounds, pattern = settings()
    failed = 0
    parts = {group: list(make()) for group, make in GROUPS.items()}
    if not rounds and not pattern:
        parts = {"some": [row for rows in parts.values() for row in rows][seed % 9::9]}
    for group, rows in parts.items():
        if pattern:
            rows = [row for row in rows if re.search(pattern, row.call)]
        if not rows:
            continue
        text = program(rows, max(rounds, 1), 3721 if rounds else 400, seed)
        failed |= not run(compiler, os.path.join(folder, group + ".cu"), text, options)
        print("%s: %d calls in the table, seed %d" % (group, len(rows), seed))
    return failed


if __name__ == "__main__":
    sys.exit(main())
