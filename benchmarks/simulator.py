#!/usr/bin/env python3
"""The run time of kernels in the simulator over that on an OpenCL device, over all examples.

usage: simulator.py <build folder> [--runs N] [--device NAME] [--markdown]

Each harness launches its kernel on the device and in the simulator in turn, on the sizes of the
example's benchmark.json: plain, and with checks of races. The simulator runs on one thread, and so
does PoCL (POCL_MAX_PTHREAD_COUNT=1). Cells are medians over the runs; ratios are those of the medians.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def measure(harness, case_file, runs, environment, checks):
    result = harness.parent / "comparison-simulator.json"
    command = [harness, "--device", "simulator", "--compare", str(runs), "--case-file", case_file,
               "--json", result, "--timeout", "300"]
    if checks:
        command += ["--check", checks]
    finished = subprocess.run(command, capture_output=True, text=True, env=environment)
    if finished.returncode not in (0, 1):
        sys.exit(f"{harness}: {finished.stderr or finished.stdout}")
    comparison = json.loads(result.read_text())
    if not comparison["cases"]:
        sys.exit(f"{harness}: {finished.stdout}")
    case = comparison["cases"][0]
    return comparison["device"], statistics.median(case["device"]), statistics.median(case["simulator"]), case


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--device", default="")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    if arguments.device:
        environment["GPUTEST_OPENCL_DEVICE"] = arguments.device

    rows, device, left_out = [], "", []
    for case_file in sorted(EXAMPLES.glob("*/benchmark.json")):
        name = case_file.parent.name
        harness = arguments.build / "gputest" / name / f"{name}_harness"
        if not harness.exists():
            left_out.append(f"{name} (no harness)")
            continue
        device, left, plain, case = measure(harness, case_file, arguments.runs, environment, "")
        _, left_again, checked, _ = measure(harness, case_file, max(1, arguments.runs // 3), environment, "races")
        rows.append((name, left * 1e3, plain * 1e3, plain / left, checked * 1e3, checked / left_again,
                     case["difference"].split("\n")[0] or ("identical" if case["identical"] else "within tolerance")))

    line = "| {} | {} | {} | {} | {} | {} | {} |" if arguments.markdown else "{:<20} {:>10} {:>12} {:>7} {:>10} {:>7}  {}"
    print(line.format("example", "device ms", "simulator ms", "ratio", "races ms", "ratio", "results"))
    if arguments.markdown:
        print("|---|---|---|---|---|---|---|")
    for name, left, plain, ratio, checked, checked_ratio, same in rows:
        print(line.format(name, f"{left:.3f}", f"{plain:.3f}", f"{ratio:.2f}", f"{checked:.3f}", f"{checked_ratio:.1f}", same))
    plain = [row[3] for row in rows]
    checked = [row[5] for row in rows]
    print(f"\n{device}: {len(rows)} examples, {arguments.runs} runs; plain: median ratio {statistics.median(plain):.2f}, "
          f"worst {max(plain):.2f}; races: median {statistics.median(checked):.1f}, worst {max(checked):.1f}")
    for reason in left_out:
        print("left out:", reason)


main()
