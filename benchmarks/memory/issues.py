# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""issues.py <gputest-memory> [budget in seconds] [kernels...]: how many issues each strategy has found when.

For kernels of examples/memory, bitonic without any: one run of --compare with that budget and seed 1. Prints a table
for benchmarks/results/memory.md.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from strategies import ARGUMENTS, EXAMPLES, KERNELS, issues_after

TIMES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600]


def main():
    command = sys.argv[1]
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    times = [time for time in TIMES if time < budget] + [budget]
    print(f"| kernel | strategy | {' | '.join(f'{time:g} s' for time in times)} | executions |")
    print("|---|---|" + "---|" * (len(times) + 1), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[3:] or ["bitonic"]:
            file, kernel, case = next(one for one in KERNELS if one[1] == name)
            output = pathlib.Path(folder) / "memory.json"
            subprocess.run([command, "memory", EXAMPLES / f"{file}.cl", "-k", kernel, "--case",
                            EXAMPLES / f"{case}.json", "--strategy", "guided", "--compare", "--budget", str(budget),
                            "--keep", "1", "--json", output, *ARGUMENTS.get(kernel, [])],
                           check=True, stdout=subprocess.DEVNULL)
            generation = json.loads(output.read_text())["generation"]
            for curve in [generation, *generation["compared"]]:
                found = [issues_after(curve['progress'], time) for time in times]
                print(f"| {kernel} | {curve['strategy']} | {' | '.join(str(one) for one in found)} | "
                      f"{curve['progress'][-1]['executions']:,} |", flush=True)


if __name__ == "__main__":
    main()
