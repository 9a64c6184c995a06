"""strategies.py <gputest-memory> [budget in seconds] [seeds]: the strategies of test generation compared.

For each kernel of examples/memory: how much of its cycles the worst case found loses to interference, with each
strategy, the same budget and several seeds. Prints tables for docs/memory.md.
"""
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "memory"
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


def result(command, kernel, strategy, seed, budget, folder):
    file, name, case = kernel
    output = folder / "memory.json"
    subprocess.run([command, "memory", EXAMPLES / f"{file}.cl", "-k", name, "--case", EXAMPLES / f"{case}.json",
                    "--strategy", strategy, "--budget", str(budget), "--seed", str(seed), "--keep", "1",
                    "--json", output, *ARGUMENTS.get(name, [])], check=True, stdout=subprocess.DEVNULL)
    return json.loads(output.read_text())


def issues_after(generation, seconds):
    return max((one["issues"] for one in generation["progress"] if one["seconds"] <= seconds), default=0)


def main():
    command = sys.argv[1]
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    means = {strategy: [] for strategy in STRATEGIES}
    print(f"| kernel | coverage | {' | '.join(STRATEGIES)} | executions | issues |")
    print("|---|---|" + "---|" * (len(STRATEGIES) + 2), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kernel in KERNELS:
            cells, executions, issues, coverage = [], [], [], None
            for strategy in STRATEGIES:
                found = [result(command, kernel, strategy, seed, budget, folder) for seed in range(1, seeds + 1)]
                worst = [max(one["generation"]["progress"][-1]["overhead_percent"], 1e-3) for one in found]
                means[strategy].append(statistics.mean(worst))
                cells.append(f"{statistics.mean(worst):.1f} ({min(worst):.1f}–{max(worst):.1f})")
                executions.append(f"{statistics.mean(one['generation']['executions'] for one in found):.0f}")
                issues.append(f"{statistics.mean(issues_after(one['generation'], budget) for one in found):.0f}")
                if strategy == "guided":
                    coverage = f"{found[0]['coverage']['explored']} of {found[0]['coverage']['total']}"
            print(f"| {kernel[1]} | {coverage} | {' | '.join(cells)} | {' / '.join(executions)} | "
                  f"{' / '.join(issues)} |", flush=True)
    total = [f"{math.exp(statistics.mean(math.log(one) for one in means[strategy])):.1f}" for strategy in STRATEGIES]
    print(f"| geometric mean | | {' | '.join(total)} | | |")


if __name__ == "__main__":
    main()
