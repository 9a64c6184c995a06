# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py <memory_counts>: the counts of the model of an H200 beside those of the hardware (hardware.json).

Prints a table for benchmarks/results/memory.md, the rank correlation of the cycles, and how many of the model's cycles are
within twice the hardware's. The hardware's include the start of a launch, that of an empty kernel of the same size, and the
model's do not. measure.py writes hardware.json.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
COUNTS = ("requests", "reads", "writes", "updates", "conflicts", "l2_sectors", "dram_bytes", "instructions")


def write_input(file, count):
    """What the kernel init of kernels.cl writes."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    values = [float(((i * 2654435761) & 0xFFFFFFFF) >> 26) for i in range(count)]
    file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{count}f", *values))


def model(program, kernel, folder):
    size = 256 if kernel.startswith("multiply") else 1024
    write_input(folder / "in.npy", size * size)
    (folder / "case.json").write_text(json.dumps(
        {"name": str(size), "global_size": [size, size], "local_size": [32, 32],
         "arguments": {"in": {"file": "in.npy"}, "out": {"size": size * size}, "n": size}}))
    return json.loads(subprocess.run([program, HERE / "kernels.cl", kernel, folder / "case.json"], check=True,
                                     stdout=subprocess.PIPE, text=True).stdout)


def ranks(values):
    """From 0; equal values have the mean of their ranks."""
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def correlation(a, b):
    mean = (len(a) - 1) / 2
    return (sum((x - mean) * (y - mean) for x, y in zip(a, b))
            / math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)))


def within_twice(ratios):
    return f"{sum(0.5 <= ratio <= 2 for ratio in ratios)} of {len(ratios)} ({min(ratios):.2f} to {max(ratios):.2f})"


def main():
    known = json.loads((HERE / "hardware.json").read_text())
    hardware = known["kernels"]
    starts = {kernel: known["starts"]["empty_small" if kernel.startswith("multiply") else "empty"] for kernel in hardware}
    with tempfile.TemporaryDirectory() as folder:
        counted = {}
        for kernel in hardware:
            counted[kernel] = model(sys.argv[1], kernel, pathlib.Path(folder))
            print(kernel, counted[kernel]["cycles"], file=sys.stderr, flush=True)
    print("| kernel | requests | reads | writes | updates | bank conflicts | sectors of L2 | bytes of DRAM | instructions | "
          "hardware, cycles | without the start | model, cycles | ratio |\n|---" + "|---" * 12 + "|")
    for kernel, measured in hardware.items():
        own = counted[kernel]
        columns = [f"{measured[key]:,}" + (f" / {own[key]:,}" if measured[key] != own[key] else "") for key in COUNTS]
        rest = measured["cycles"] - starts[kernel]
        print(f"| {kernel} | {' | '.join(columns)} | {measured['cycles']:,} | {rest:,} | {own['cycles']:,} | "
              f"{own['cycles'] / rest:.2f} |")
    measured = [one["cycles"] for one in hardware.values()]
    modelled = [one["cycles"] for one in counted.values()]
    print(f"rank correlation (Spearman): {correlation(ranks(measured), ranks(modelled)):.3f}")
    print(f"within twice, the start added to the model: "
          f"{within_twice([(own + start) / whole for own, whole, start in zip(modelled, measured, starts.values())])}")
    print(f"within twice, the start taken off the hardware: "
          f"{within_twice([own / (whole - start) for own, whole, start in zip(modelled, measured, starts.values())])}")
    print(f"within twice, as counted: {within_twice([own / whole for own, whole in zip(modelled, measured)])}")


main()
