# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""strategies.py <gputest-memory> [budget in seconds] [seeds] [executions] [kernels...]: the strategies compared.

For each kernel of examples/memory: how much of its cycles the worst case found loses to interference, with each
strategy, the same budget and several seeds. The budget is of seconds, or of executions, whichever ends first (0: of
any number). Prints tables for benchmarks/results/memory.md.
"""
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "memory"
FEW = 8  # executions
STRATEGIES = ["guided", "symbolic-random", "random"]
# File, kernel, case, and what is said of inputs.
KERNELS = [("bitonic", "bitonic", "bitonic"), ("convolution", "convolution_rows", "convolution_rows"),
           ("convolution", "convolution_columns", "convolution_columns"), ("histogram", "histogram", "histogram"),
           ("multiply", "multiply", "multiply"), ("scan", "scan_best", "scan_best"),
           ("scan", "scan_efficient", "scan_efficient"), ("scan", "scan_naive", "scan_naive"),
           ("transpose", "transpose_tiled", "transpose"), ("transpose", "transpose", "transpose"),
           ("scalar_product", "scalar_product", "scalar_product"), ("bfs", "bfs", "bfs"), ("walsh", "walsh", "walsh"),
           ("clock", "clock_least", "clock")]
ARGUMENTS = {"bfs": ["--argument", "neighbours:range(0,4095)", "--argument", "frontier:values(0,1)",
                     "--argument", "seen:values(0,1)"]}


def curves(command, kernel, seed, budget, executions, folder):
    """What each strategy found when, and the coverage of the first."""
    file, name, case = kernel
    output = folder / "memory.json"
    subprocess.run([command, "memory", EXAMPLES / f"{file}.cl", "-k", name, "--case", EXAMPLES / f"{case}.json",
                    "--strategy", STRATEGIES[0], "--compare", "--budget", str(budget), "--seed", str(seed),
                    "--keep", "1", "--json", output, *(["--executions", str(executions)] if executions else []),
                    *ARGUMENTS.get(name, [])],
                   check=True, stdout=subprocess.DEVNULL)
    found = json.loads(output.read_text())
    generation = found["generation"]
    all_curves = {one["strategy"]: one["progress"] for one in [generation, *generation["compared"]]}
    return [all_curves[strategy] for strategy in STRATEGIES], found["coverage"]


def issues_after(progress, seconds):
    return max((one["issues"] for one in progress if one["seconds"] <= seconds), default=0)


def overhead_after(progress, executions):
    """The largest of so many executions, or of the first that were more."""
    return max((one["overhead_percent"] for one in progress if one["executions"] <= executions),
               default=progress[0]["overhead_percent"])


def geometric(values):
    return math.exp(statistics.mean(math.log(max(one, 1e-3)) for one in values))


def main():
    command = sys.argv[1]
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    executions = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    # A row for each strategy: the mean over seeds for each kernel.
    worst, early = [[] for _ in STRATEGIES], [[] for _ in STRATEGIES]
    total = [[[] for _ in range(seeds)] for _ in STRATEGIES]  # a row for each seed: one value for each kernel
    print(f"| kernel | coverage | {' | '.join(STRATEGIES)} | after {FEW} executions | executions | issues |")
    print("|---|---|" + "---|" * (len(STRATEGIES) + 3), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kernel in [one for one in KERNELS if one[1] in (sys.argv[5:] or [one[1]])]:
            runs = [curves(command, kernel, seed, budget, executions, folder) for seed in range(1, seeds + 1)]
            cells, few, made, issues = [], [], [], []
            for i in range(len(STRATEGIES)):
                found = [run[0][i] for run in runs]
                last = [one[-1]["overhead_percent"] for one in found]
                for seed, overhead in enumerate(last):
                    total[i][seed].append(overhead)
                worst[i].append(statistics.mean(last))
                early[i].append(statistics.mean(overhead_after(one, FEW) for one in found))
                cells.append(f"{worst[i][-1]:.1f} ({min(last):.1f}–{max(last):.1f})")
                few.append(f"{early[i][-1]:.1f}")
                made.append(f"{statistics.mean(one[-1]['executions'] for one in found):.0f}")
                issues.append(f"{statistics.mean(issues_after(one, budget) for one in found):.0f}")
            coverage = runs[0][1]
            print(f"| {kernel[1]} | {coverage['explored']} of {coverage['total']} | {' | '.join(cells)} | "
                  f"{' / '.join(few)} | {' / '.join(made)} | {' / '.join(issues)} |", flush=True)
    cells = []
    for i in range(len(STRATEGIES)):
        spread = [geometric(one) for one in total[i]]
        cells.append(f"{geometric(worst[i]):.2f} ({min(spread):.2f}–{max(spread):.2f})")
    print(f"| geometric mean | | {' | '.join(cells)} | {' / '.join(f'{geometric(one):.2f}' for one in early)} | | |")


if __name__ == "__main__":
    main()
