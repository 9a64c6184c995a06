# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py <gputest>: the counts of the model of an H200 beside those of the hardware (hardware.json).

Prints a table for benchmarks/results/memory.md, the rank correlation of the model's cycles and the hardware's times, and how
many of the times are within twice the hardware's. measure.py writes hardware.json.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
GIGAHERTZ = 1.98  # of the hardware


def write_input(file, count):
    """What the kernel init of kernels.cl writes."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    values = [float(((i * 2654435761) & 0xFFFFFFFF) >> 26) for i in range(count)]
    file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{count}f", *values))


def model(gputest, kernel, folder):
    size = 256 if kernel.startswith("multiply") else 1024
    write_input(folder / "in.npy", size * size)
    (folder / "case.json").write_text(json.dumps(
        {"name": str(size), "global_size": [size, size], "local_size": [32, 32],
         "arguments": {"in": {"file": "in.npy"}, "out": {"size": size * size}, "n": size}}))
    subprocess.run([gputest, "memory", HERE / "kernels.cl", "-k", kernel, "--gpu", "h200", "--case", folder / "case.json",
                    "--json", folder / "memory.json"], check=True, stdout=subprocess.DEVNULL)
    case = json.loads((folder / "memory.json").read_text())["cases"][0]
    sectors = 32  # bytes each
    counts = {"reads": 0, "writes": 0, "updates": 0, "requests": 0, "conflicts": 0, "cycles": case["cycles"],
              "l2_sectors": sum(case["caches"][1].values()), "dram_bytes": sectors * case["dram_requests"]}
    for reference in case["references"]:
        if reference["memory"] == "local":
            counts["conflicts"] += reference["transactions"] - reference["fewest"]
        else:
            counts[{"read": "reads", "write": "writes", "atomic": "updates"}[reference["access"]]] += reference["transactions"]
            counts["requests"] += reference["executions"]
    return counts


def ranks(values):
    """From 0; equal values have the mean of their ranks."""
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def correlation(a, b):
    mean = (len(a) - 1) / 2
    return (sum((x - mean) * (y - mean) for x, y in zip(a, b))
            / math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)))


def main():
    hardware = json.loads((HERE / "hardware.json").read_text())["kernels"]
    times, cycles = [], []
    print("| kernel | requests | reads | writes | updates | bank conflicts | sectors of L2 | bytes of DRAM | "
          "hardware, µs | model, cycles |\n|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kernel, measured in hardware.items():
            counted = model(sys.argv[1], kernel, pathlib.Path(folder))
            columns = [f"{measured[key]:,} / {counted[key]:,}" if measured[key] != counted[key] else f"{counted[key]:,}"
                       for key in ("requests", "reads", "writes", "updates", "conflicts", "l2_sectors", "dram_bytes")]
            print(f"| {kernel} | {' | '.join(columns)} | {measured['nanoseconds'] / 1000:.1f} | {counted['cycles']:,} |", flush=True)
            times.append(measured["nanoseconds"])
            cycles.append(counted["cycles"])
    print(f"rank correlation (Spearman): {correlation(ranks(times), ranks(cycles)):.2f}")
    ratios = [count / GIGAHERTZ / time for count, time in zip(cycles, times)]
    print(f"within twice: {sum(0.5 <= ratio <= 2 for ratio in ratios)} of {len(ratios)}; the model's times are "
          f"{min(ratios):.2f} to {max(ratios):.2f} of the hardware's")


main()
