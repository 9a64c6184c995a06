# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""addresses.py <gputest> [budget in seconds] [seeds] [GPU] [cycles|share] [kernels…]: inputs that choose addresses.

For each kernel of addresses.cl and addresses.cu: how many cycles the worst case found loses to interference, guided
and at random, with the same budget and several seeds; how many cycles that case takes; and what guided's input does.
CUDA's warps have 32 threads, so GPUs with others run OpenCL C alone.
Both losses are compared in percent of the cycles of random's case, and as shares of their own cycles. Both strategies
look for the most lost cycles, or for the largest share. Prints a table for benchmarks/results/memory.md.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
ITEMS, GROUP = 1024, 256
PLACES = 16384  # of what addresses choose from, which no cache of the embedded GPU holds


def numbers(size, most):
    return {"size": size, "fill": f"random(0,{most})"}


# The arguments of the case, and what inputs may be.
KERNELS = {
    "histogram": ({"keys": numbers(ITEMS, ITEMS - 1), "bins": {"size": 256}}, ["keys:range(0,1023)"]),
    "histogram_local": ({"keys": numbers(4 * ITEMS, ITEMS - 1), "bins": {"size": 256}}, ["keys:range(0,1023)"]),
    "gather": ({"index": numbers(ITEMS, PLACES - 1), "in": {"size": PLACES}, "out": {"size": ITEMS}},
               [f"index:range(0,{PLACES - 1})"]),
    "scatter": ({"index": numbers(ITEMS, PLACES - 1), "in": {"size": ITEMS}, "out": {"size": PLACES}},
                [f"index:range(0,{PLACES - 1})"]),
    "spmv": ({"columns": numbers(4 * ITEMS, PLACES - 1), "values": {"size": 4 * ITEMS}, "x": {"size": PLACES},
              "y": {"size": ITEMS}}, [f"columns:range(0,{PLACES - 1})"]),
    "bfs": ({"neighbours": numbers(4 * ITEMS, PLACES - 1), "frontier": numbers(ITEMS, 1), "seen": numbers(PLACES, 1),
             "next": {"size": PLACES}},
            [f"neighbours:range(0,{PLACES - 1})", "frontier:values(0,1)", "seen:values(0,1)"]),
    "hash_table": ({"keys": numbers(ITEMS, 1 << 20), "table": numbers(ITEMS, 1 << 20), "found": {"size": ITEMS}},
                   ["keys:range(0,1048576)", "table:range(0,1048576)"]),
    "table_local": ({"index": numbers(4 * ITEMS, ITEMS - 1), "out": {"size": ITEMS}}, ["index:range(0,1023)"]),
}


def found_of(command, source, kernel, gpu, by, seed, budget, folder):
    """Lost and all cycles of the worst case by guided and at random, and what guided's input does."""
    arguments, allowed = KERNELS[kernel]
    case, output = folder / "case.json", folder / "memory.json"
    case.write_text(json.dumps({"name": "random", "global_size": [ITEMS], "local_size": [GROUP],
                                "arguments": arguments}))
    lost, cycles, what = [], [], ""
    for strategy in ("guided", "random"):
        subprocess.run([command, "memory", source, "-k", kernel, "--case", case, "--gpu", gpu, "--strategy", strategy,
                        "--budget", str(budget), "--seed", str(seed), "--keep", "1", "--worst-by", by, "--json", output,
                        *(word for one in allowed for word in ("--argument", one))],
                       check=True, stdout=subprocess.DEVNULL)
        found = json.loads(output.read_text())
        worst = next(one for one in found["cases"] if one["name"] == "generated-1")
        lost.append(worst["overhead"])
        cycles.append(worst["cycles"])
        if strategy == "guided":
            what = worst["condition"] or "one near another"
    return lost, cycles, what


def main():
    command = sys.argv[1]
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 1
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    gpu = sys.argv[4] if len(sys.argv) > 4 else "embedded"
    by = sys.argv[5] if len(sys.argv) > 5 else "cycles"
    print("| kernel | lost, guided | random | points more | share lost | cycles | the input |\n"
          "|---|---|---|---|---|---|---|", flush=True)
    warp_size = json.loads((FOLDER.parents[1] / f"templates/memory/{gpu}.json").read_text())["warp_size"]
    for language in ("cl", "cu") if warp_size == 32 else ("cl",):  # CUDA's warps have 32 threads
        more, shares_more = [], []
        with tempfile.TemporaryDirectory() as name:
            for kernel in sys.argv[6:] or KERNELS:
                runs = [found_of(command, FOLDER / f"addresses.{language}", kernel, gpu, by, seed, budget,
                                 pathlib.Path(name)) for seed in range(1, seeds + 1)]
                lost, cycles = ([statistics.mean(run[which][i] for run in runs) for i in (0, 1)] for which in (0, 1))
                more.append(100 * (lost[0] - lost[1]) / cycles[1])
                shares_more.append(100 * (lost[0] / cycles[0] - lost[1] / cycles[1]))
                shares = " / ".join(f"{100 * lost[i] / cycles[i]:.1f} %" for i in (0, 1))
                print(f"| {kernel}.{language} | {lost[0]:,.0f} | {lost[1]:,.0f} | {more[-1]:+.1f} | {shares} | "
                      f"{cycles[0]:,.0f} / {cycles[1]:,.0f} | {runs[0][2].replace(str(FOLDER) + '/', '')} |",
                      flush=True)
        print(f"| mean, {language} | | | {statistics.mean(more):+.1f} | {statistics.mean(shares_more):+.1f} | | |",
              flush=True)


if __name__ == "__main__":
    main()
