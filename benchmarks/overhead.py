#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The run time of instrumented kernels (or another variant) over that of the originals, over all examples.

usage: overhead.py <build folder> [--variant coverage|mutation|schedules] [--runs N] [--device NAME] [--markdown]

Each harness launches both kernels in turn, in one process, on the sizes of the example's
benchmark.json. A row is the median of each, their ratio, and the 10th and 90th percentile of the
ratios of neighbouring launches.
"""
import statistics

import examples


def main():
    parser = examples.parser(__doc__, runs=31)
    parser.add_argument("--variant", choices=("coverage", "mutation", "schedules"), default="coverage")
    arguments = parser.parse_args()
    options = [] if arguments.variant == "coverage" else [f"--{arguments.variant}"]
    options += ["--device", arguments.device] if arguments.device else []

    medians, device, left_out = [], "", []
    table = examples.Table(arguments.markdown, ("<20", ">12", ">14", ">7", ">13"),
                           "example", "original ms", "instrumented ms", "ratio", "10 % – 90 %")
    for name, harness, case_file in examples.harnesses(arguments.build, left_out):
        device, case = examples.compare(harness, case_file, arguments.runs, *options)
        if case["difference"]:
            left_out.append(f"{name} (outputs depend on the schedule)")
            continue
        ratios = sorted(b / a for a, b in zip(case["original"], case["instrumented"]))
        original, instrumented = statistics.median(case["original"]), statistics.median(case["instrumented"])
        medians.append(instrumented / original)
        low, high = ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
        table.row(name, f"{original * 1e3:.3f}", f"{instrumented * 1e3:.3f}", f"{medians[-1]:.2f}", f"{low:.2f} – {high:.2f}")
    print(f"\n{device}: {len(medians)} examples, {arguments.runs} runs, "
          f"median ratio {statistics.median(medians):.2f}, worst {max(medians):.2f}")
    for reason in left_out:
        print("left out:", reason)


main()
