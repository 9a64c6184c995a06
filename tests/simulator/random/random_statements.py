#!/usr/bin/env python3
"""Random kernels leave in the simulator, with and without checks and coverage, what they leave as C++.

No check finds anything.

usage: random_statements.py <clang>

GPUTEST_RANDOM says how many, and GPUTEST_RANDOM_FIRST the first seed; a failure names its own.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import gputest
import numpy

import expressions
import statements

HERE = pathlib.Path(__file__).parent
CHECKS = ["races", "barriers", "bounds", "uninitialized", "arithmetic"]
OPENCL_C = """#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define LOCAL local
#define VEC(type, ...) ((type)(__VA_ARGS__))
#define JOINED(a, b) a##b
#define CONVERT(type, x) JOINED(convert_, type)(x)
#define AS(type, x) JOINED(as_, type)(x)
#define PROGRAM(type, declared) global type declared
#define SUB_GROUP_SIZE __attribute__((intel_reqd_sub_group_size(8)))
"""
OPTIONS = ["-std=c++20", "-O0", "-fwrapv", "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-w", "-pthread"]
DTYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8", "ulong": "u8",
          "half": "f2", "float": "f4", "double": "f8"}


class Model:
    """Kernels as C++."""

    def __init__(self, clang, folder):
        self.clang, self.folder = clang, pathlib.Path(folder)
        self.header = self.folder / "model.pch"
        subprocess.run([clang, *OPTIONS, "-x", "c++-header", HERE / "model.h", "-o", self.header], check=True)

    def run(self, text, pointed, given):
        source, program = self.folder / "kernel.cpp", self.folder / "kernel"
        source.write_text(f"""{text}
static uint given[kItems], left[kItems];
static {pointed} far[4 * kItems];
static void* run(void* number) {{
  item = (uint)(size_t)number;
  k(given, left, far);
  return nullptr;
}}
int main() {{
  std::fread(given, sizeof(uint), kItems, stdin);
  pthread_barrier_init(&met, nullptr, kGroup);
  for (uint first = 0; first < kItems; first += kGroup) {{
    pthread_t threads[kGroup];
    for (uint i = 0; i < kGroup; ++i)
      pthread_create(&threads[i], nullptr, run, (void*)(size_t)(first + i));
    for (pthread_t thread : threads)
      pthread_join(thread, nullptr);
  }}
  std::fwrite(left, sizeof(uint), kItems, stdout);
}}
""")
        subprocess.run([self.clang, *OPTIONS, "-include-pch", self.header, source, "-o", program], check=True)
        left = subprocess.run([program], input=given.tobytes(), stdout=subprocess.PIPE, check=True).stdout
        return numpy.frombuffer(left, numpy.uint32)


def run(text, pointed, given, device, checks):
    scalar, width = expressions.parts_of(pointed)
    left = numpy.zeros(statements.ITEMS, numpy.uint32)
    far = numpy.zeros(4 * statements.ITEMS * (4 if width == 3 else width), DTYPES[scalar])
    gputest.run_kernel(gputest.source_text(OPENCL_C + text), "k", given.copy(), left, far, device=device, cl_std="CL3.0",
                       global_size=statements.ITEMS, local_size=statements.GROUP, checks=checks, timeout=300)
    return left


def wrong(seed, model):
    writer = statements.Statements(seed)
    text = writer.program()
    given = numpy.random.RandomState(seed).randint(0, 2**32, statements.ITEMS, dtype=numpy.uint32)
    expected = model.run(text, writer.pointed, given)
    for measured in model.folder.glob("*.coverage.json"):  # with an earlier seed
        measured.unlink()
    for checks, coverage in (([], False), (CHECKS, False), ([], True)):
        if coverage:  # run_kernel() then runs the instrumented kernel
            os.environ["GPUTEST_COVERAGE_DIR"] = str(model.folder)
        try:
            found = run(text, writer.pointed, given, "simulator", checks)
        except gputest.Error as error:
            return f"{OPENCL_C}{text}{error}"
        finally:
            os.environ.pop("GPUTEST_COVERAGE_DIR", None)
        if (found != expected).any():
            return f"{OPENCL_C}{text}with {checks}, coverage {coverage}: {found} instead of {expected}"
    return "" if any(model.folder.glob("*.coverage.json")) else "no coverage was measured"


def main():
    count, first = int(os.environ.get("GPUTEST_RANDOM", "3")), int(os.environ.get("GPUTEST_RANDOM_FIRST", "1"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        model = Model(sys.argv[1], folder)
        for seed in range(first, first + count):
            if text := wrong(seed, model):
                print(f"seed {seed}: {text}", flush=True)
                failed += 1
    print(f"{count} random kernels, {failed} wrong")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
