#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The run time of kernels in the simulator over that on an OpenCL device, over all examples.

usage: simulator.py <build folder> [--runs N] [--device NAME] [--markdown]

Each harness launches its kernel on the device and in the simulator in turn, on the sizes of the
example's benchmark.json: plain, and with checks of races. The simulator runs on one thread, and so
does PoCL (POCL_MAX_PTHREAD_COUNT=1). Cells are medians over the runs; ratios are those of the medians.
"""
import os
import statistics

import examples


def main():
    arguments = examples.parser(__doc__, runs=15).parse_args()
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    if arguments.device:
        environment["GPUTEST_OPENCL_DEVICE"] = arguments.device

    plain, checked, device, left_out = [], [], "", []
    table = examples.Table(arguments.markdown, ("<20", ">10", ">12", ">7", ">10", ">7", ""),
                           "example", "device ms", "simulator ms", "ratio", "races ms", "ratio", "results")
    for name, harness, case_file in examples.harnesses(arguments.build, left_out):
        cells = []
        for runs, options, ratios in ((arguments.runs, [], plain), (max(1, arguments.runs // 3), ["--check", "races"], checked)):
            device, case = examples.compare(harness, case_file, runs, "--device", "simulator", *options, environment=environment)
            left, right = statistics.median(case["device"]), statistics.median(case["simulator"])
            ratios.append(right / left)
            if not options:
                cells += [name, f"{left * 1e3:.3f}"]
                same = case["difference"].split("\n")[0] or ("identical" if case["identical"] else "within tolerance")
            cells += [f"{right * 1e3:.3f}", f"{right / left:.2f}" if not options else f"{right / left:.1f}"]
        table.row(*cells, same)
    print(f"\n{device}: {len(plain)} examples, {arguments.runs} runs; plain: median ratio {statistics.median(plain):.2f}, "
          f"worst {max(plain):.2f}; races: median {statistics.median(checked):.1f}, worst {max(checked):.1f}")
    for reason in left_out:
        print("left out:", reason)


main()
