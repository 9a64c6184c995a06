#!/usr/bin/env python3
"""The run time of instrumented kernels (or another variant) over that of the originals, over all examples.

usage: overhead.py <build folder> [--variant coverage|mutation|schedules] [--runs N] [--device NAME] [--markdown]

Each harness launches both kernels in turn, in one process, on the sizes of the example's
benchmark.json. A row is the median of each, their ratio, and the 10th and 90th percentile of the
ratios of neighbouring launches.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def measure(harness, case_file, variant, runs, device):
    result = harness.parent / "comparison.json"
    command = [harness, "--compare", str(runs), "--case-file", case_file, "--json", result, "--timeout", "300"]
    if variant != "coverage":
        command += [f"--{variant}"]
    if device:
        command += ["--device", device]
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode not in (0, 1):
        sys.exit(f"{harness}: {finished.stderr or finished.stdout}")
    comparison = json.loads(result.read_text())
    if not comparison["cases"]:
        return comparison["device"], None
    return comparison["device"], comparison["cases"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--variant", choices=("coverage", "mutation", "schedules"), default="coverage")
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument("--device", default="")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()

    rows, device, left_out = [], "", []
    for case_file in sorted(EXAMPLES.glob("*/benchmark.json")):
        name = case_file.parent.name
        harness = arguments.build / "gputest" / name / f"{name}_harness"
        if not harness.exists():
            left_out.append(f"{name} (no harness)")
            continue
        device, case = measure(harness, case_file, arguments.variant, arguments.runs, arguments.device)
        if case is None:
            left_out.append(f"{name} (outputs depend on the schedule)")
            continue
        ratios = sorted(b / a for a, b in zip(case["original"], case["instrumented"]))
        original, instrumented = statistics.median(case["original"]), statistics.median(case["instrumented"])
        rows.append((name, original * 1e3, instrumented * 1e3, instrumented / original,
                     ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]))

    line = "| {} | {} | {} | {} | {} |" if arguments.markdown else "{:<20} {:>12} {:>14} {:>7} {:>13}"
    print(line.format("example", "original ms", "instrumented ms", "ratio", "10 % – 90 %"))
    if arguments.markdown:
        print("|---|---|---|---|---|")
    for name, original, instrumented, ratio, low, high in rows:
        print(line.format(name, f"{original:.3f}", f"{instrumented:.3f}", f"{ratio:.2f}", f"{low:.2f} – {high:.2f}"))
    ratios = [row[3] for row in rows]
    print(f"\n{device}: {len(rows)} examples, {arguments.runs} runs, "
          f"median ratio {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
    for reason in left_out:
        print("left out:", reason)


main()
