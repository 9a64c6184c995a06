#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The run time of kernels in the simulator over that on an OpenCL device, over all examples.

usage: simulator.py <build folder> [--runs N] [--device NAME] [--markdown]

Each harness launches its kernel on the device and in the simulator in turn, on the sizes of the
example's benchmark.json: plain, with the check of races, and with those of bounds and of memory that
nobody has written as well. The simulator runs on one thread, and so does PoCL
(POCL_MAX_PTHREAD_COUNT=1). Cells are medians over the runs, or with --shortest the shortest of them,
which other programs change least; ratios are those of the cells.
"""
import os
import statistics

import examples


def main():
    parser = examples.parser(__doc__, runs=15)
    parser.add_argument("--shortest", action="store_true")
    parser.add_argument("names", nargs="*", help="examples; all without")
    arguments = parser.parse_intermixed_args()
    cell = min if arguments.shortest else statistics.median
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    if arguments.device:
        environment["GPUTEST_OPENCL_DEVICE"] = arguments.device

    plain, races, memory, device, left_out = [], [], [], "", []
    few = max(1, arguments.runs // 3)
    measured = ((arguments.runs, [], plain), (few, ["--check", "races"], races),
                (few, ["--check", "races,bounds,uninitialized"], memory))
    table = examples.Table(arguments.markdown, ("<20", ">10", ">12", ">7", ">10", ">7", ">10", ">7", ""),
                           "example", "device ms", "simulator ms", "ratio", "races ms", "ratio", "all three ms", "ratio", "results")
    for name, harness, case_file in examples.harnesses(arguments.build, left_out):
        if arguments.names and name not in arguments.names:
            continue
        cells = []
        for runs, options, ratios in measured:
            device, case = examples.compare(harness, case_file, runs, "--device", "simulator", *options, environment=environment)
            left, right = cell(case["device"]), cell(case["simulator"])
            ratios.append(right / left)
            if not options:
                cells += [name, f"{left * 1e3:.3f}"]
                same = case["difference"].split("\n")[0] or ("identical" if case["identical"] else "within tolerance")
            cells += [f"{right * 1e3:.3f}", f"{right / left:.2f}" if not options else f"{right / left:.1f}"]
        table.row(*cells, same)
    print(f"\n{device}: {len(plain)} examples, {arguments.runs} runs; plain: median ratio {statistics.median(plain):.2f}, "
          f"worst {max(plain):.2f}; races: median {statistics.median(races):.1f}, worst {max(races):.1f}; "
          f"races, bounds and uninitialized: median {statistics.median(memory):.1f}, worst {max(memory):.1f}")
    for reason in left_out:
        print("left out:", reason)


main()
