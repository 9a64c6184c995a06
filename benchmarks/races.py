#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checks of races cost on kernels that do little else than access shared memory (benchmarks/races).

usage: races.py <install prefix> [--runs N]

Each kernel is launched in turn on the OpenCL device and in the simulator with --check races, on one
thread. The first two cells are the shortest launches. The others are milliseconds of processor time
of a launch in the simulator, by samples of `perf record`: in the kernel's code with its checks, in the
operating system, and in the simulator itself.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile

import examples

FREQUENCY = 4000  # samples a second


def samples(file):
    """Of the process of the simulator, by what they are in."""
    text = subprocess.run(["perf", "report", "-i", file, "--no-children", "--stdio", "-n", "--sort", "comm,dso"],
                          capture_output=True, text=True, check=True).stdout
    counts = {"code": 0, "system": 0, "simulator": 0}
    for line in text.splitlines():
        found = re.match(r"\s*[\d.]+%\s+(\d+)\s+gputest-sim\S*\s+(\S+)", line)
        if found:
            place = found[2]
            kind = "code" if place == "[JIT]" else "system" if "kernel" in place else "simulator" if place == "gputest-simulator" else None
            if kind:
                counts[kind] += int(found[1])
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=30)
    arguments = parser.parse_args()
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    table = examples.Table(False, ("<16", ">10", ">13", ">7", ">8", ">10", ">13"),
                           "kernel", "device ms", "simulator ms", "ratio", "code ms", "system ms", "simulator ms")
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder)
        subprocess.run(["cmake", "-S", pathlib.Path(__file__).parent / "races", "-B", build,
                        f"-DCMAKE_PREFIX_PATH={arguments.prefix.resolve()}"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build, "--parallel"], check=True, stdout=subprocess.DEVNULL)
        for harness in sorted(build.glob("gputest/*/*_harness")):
            result = build / "comparison.json"
            command = [harness, "--device", "simulator", "--check", "races", "--json", result, "--compare"]
            examples.run([*command, "1"], environment)  # compiles
            examples.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", build / "samples",
                          *command, str(arguments.runs)], environment)
            case = json.loads(result.read_text())["cases"][0]
            device, simulator = min(case["device"]), min(case["simulator"])
            counts = samples(build / "samples")
            table.row(harness.parent.name, f"{device * 1e3:.3f}", f"{simulator * 1e3:.2f}", f"{simulator / device:.0f}",
                      *(f"{count * 1e3 / FREQUENCY / arguments.runs:.2f}" for count in counts.values()))


main()
