#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many kernels in one project: what configuring, building and a build that changes nothing take.

usage: scale.py <prefix of GpuTestCheck> [--kernels N] [--build N] [--shards N] [--run] [--keep FOLDER]

Makes a project of N kernels (2000), each in a file of its own, with a test case and MUTATION, and
configures it. Then builds it, or with --build N only the host programs of the first N kernels. The
build that changes nothing is of all that was built. --run also runs the mutants of all kernels, one test after the
other, with an empty cache of PoCL's; with --shards N first those of each shard.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

KERNEL = """__kernel void k{i}(__global const float* x, __global float* y, int n) {{
  int i = get_global_id(0);
  if (i < n && x[i] > {i}.0f)
    y[i] = x[i] * 2.0f + {i};
  else
    y[i] = 0.0f;
}}
"""
CASE = '{{"arguments": {{"x": [1, 2, 3000, 4], "y": {{"size": 4}}, "n": 4}}}}'


def timed(what, command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, **options)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{what}: {done.stdout}{done.stderr}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.2f} s, {processor:.2f} s of processor time", flush=True)
    return processor


def size_of(folder):
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, default=2000)
    parser.add_argument("--build", type=int, default=0, help="only the host programs of so many")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="gputest_scale_"))
    source, build = folder / "source", folder / "build"
    source.mkdir(parents=True, exist_ok=True)
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(scale LANGUAGES CXX)", "enable_testing()",
             "find_package(GpuTestCheck REQUIRED)"]
    for i in range(arguments.kernels):
        (source / f"k{i}.cl").write_text(KERNEL.format(i=i))
        (source / f"k{i}.json").write_text(CASE.format())
        lines.append(f"gputest_add_kernel(k{i} SOURCE k{i}.cl GLOBAL_SIZE 4 TEST_CASES k{i}.json "
                     f"MUTATION SHARDS {arguments.shards})")
    (source / "CMakeLists.txt").write_text("\n".join(lines) + "\n")

    prefix = f"-DCMAKE_PREFIX_PATH={arguments.prefix.resolve()}"
    timed(f"configure {arguments.kernels} kernels", ["cmake", "-S", source, "-B", build, "-G", "Ninja", prefix])
    timed("configure again", ["cmake", build])
    empty = size_of(build)
    number = arguments.build or arguments.kernels
    targets = [f"k{i}_harness" for i in range(number)] if arguments.build else []
    command = ["cmake", "--build", build, "--parallel", str(len(os.sched_getaffinity(0)))]
    if targets:
        command += ["--target", *targets]
    processor = timed(f"build {number} kernels", command)
    print(f"a kernel: {processor / number:.2f} s of processor time, {(size_of(build) - empty) / number / 1000:.0f} KB")
    timed("a build that changes nothing", command)
    timed("ctest -N", ["ctest", "--test-dir", build, "-N"])
    if arguments.run:
        environment = dict(os.environ, POCL_CACHE_DIR=str(folder / "pocl"))
        parts = ["-L", "^mutation-shard$"], ["-L", "^mutation$", "-FS", "."]
        for what, choice in zip(("shards", "mutants"), parts):
            if arguments.shards > 1 or what == "mutants":
                timed(what, ["ctest", "--test-dir", build, *choice], env=environment)
        results = build / "gputest"
        stores = [store for store in results.rglob("results.db*")]
        print(f"{len(stores)} files of stores, {sum(store.stat().st_size for store in stores) / 1e6:.1f} MB")
    if not arguments.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
