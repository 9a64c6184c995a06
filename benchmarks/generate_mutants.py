#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many mutants generated cases kill, with outcomes as goals alone and with `--mutants`.

generate_mutants.py <install tree> <folder or file>… [--budget s] [--markdown] [--device word] [--left]

Cases for each kernel of each .cl file below the folders are generated from nothing but its source, once in each way.
A project with `MUTATION` then measures them: its harness runs the mutants on a device, and knows nothing of what the
generator says. A row for each kernel: mutants that count, scores, cases, and seconds that a processor was busy with
generation, compiling included. Below the table is how many of the kills that cases name the device does not confirm,
and with `--left` what survives. Everything goes to a temporary folder.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import examples
import generate as generate_benchmark

SUMMARY = re.compile(r"^(\w+): \d+ of \d+ outcomes reached", re.M)
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(measured LANGUAGES CXX)
enable_testing()
find_package(GpuTestCheck REQUIRED)
"""
KILLED = ["killed", "timeout"]
COUNTED = [*KILLED, "survived", "no_coverage", "undecided"]


def generate(command, file, cases, options, environment):
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([command, "generate", file, "-o", cases, *options], capture_output=True, text=True,
                         env=environment)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return SUMMARY.findall(ran.stdout), end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime, ran


def verdicts(file):
    """(mutant, its verdict) of those that count."""
    for source in json.loads(file.read_text())["files"].values():
        for mutant in source["mutants"]:
            verdict = mutant["gputest"]["verdict"]
            fence = verdict == "survived" and mutant["mutatorName"] == "fence_replacement"
            if verdict in COUNTED and not fence:
                yield mutant, verdict


def use(cases, file):
    """Makes these the cases of a harness, which reads them when it runs. What they need lies beside them."""
    file.write_text(json.dumps([json.loads(case.read_text()) for case in cases]))
    for case in cases:
        for array in case.parent.glob(f"{case.stem}.*.npy"):
            shutil.copy(array, file.parent)


def claimed(cases):
    """Ids of the mutants that cases say to kill."""
    return {one for case in cases for one in json.loads(case.read_text())["generated"].get("kills", [])}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("prefix", type=pathlib.Path)
    options.add_argument("paths", type=pathlib.Path, nargs="+")
    options.add_argument("--budget", default="10")
    options.add_argument("--device", default="")
    options.add_argument("--markdown", action="store_true")
    options.add_argument("--left", action="store_true")
    options.add_argument("--option", action="append", default=[], help="of gputest generate, such as --option=-DN=4")
    given = options.parse_args()
    command = given.prefix / "bin" / "gputest"
    measured = []  # number, file, kernel, by mode: (files of cases, seconds)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        environment = dict(os.environ, GPUTEST_CACHE_DIR=str(folder / "cache"))
        project = PROJECT
        for number, file in enumerate(generate_benchmark.kernel_files(given.paths)):
            found = {}
            for mode, more in [("outcomes", []), ("mutants", ["--mutants"])]:
                cases = folder / f"cases-{number}-{mode}"
                kernels, seconds, ran = generate(command, file.absolute(), cases,
                                                 ["--budget", given.budget, *given.option, *more],
                                                 environment | {"GPUTEST_CACHE_DIR": str(cases) + ".cache"})
                if not kernels:
                    print(f"{file.name}: {(ran.stderr.strip().splitlines() or ['nothing'])[0]}", file=sys.stderr)
                for kernel in kernels:
                    written = sorted(cases.glob(f"{kernel}-*.json"))
                    found.setdefault(kernel, {})[mode] = (written, seconds / len(kernels))
            for kernel in found:
                definitions = " ".join(option[2:] for option in given.option if option.startswith("-D"))
                project += (f"gputest_add_kernel(m{number}_{kernel} SOURCE {file.absolute()} KERNEL {kernel} "
                            f"GLOBAL_SIZE 8 TEST_CASES {folder / f'm{number}_{kernel}.json'} MUTATION"
                            f"{' DEFINITIONS ' + definitions if definitions else ''}"
                            f"{' DEVICE ' + given.device if given.device else ''})\n")
                use(next(iter(found[kernel].values()))[0], folder / f"m{number}_{kernel}.json")
            measured += [(number, file, kernel, modes) for kernel, modes in found.items()]
        (folder / "project").mkdir()
        (folder / "project" / "CMakeLists.txt").write_text(project)
        build = folder / "build"
        subprocess.run(["cmake", "-S", folder / "project", "-B", build, "-G", "Ninja",
                        f"-DCMAKE_PREFIX_PATH={given.prefix.absolute()}"], check=True, stdout=sys.stderr)
        subprocess.run(["cmake", "--build", build, "-j2"], check=True, stdout=sys.stderr)
        table = examples.Table(given.markdown, ["<36", ">8", ">9", ">6", ">8", ">9", ">6", ">8"], "kernel", "mutants",
                               "score", "cases", "seconds", "MUTANTS", "cases", "seconds")
        sums, remarks = {"outcomes": [0, 0, 0, 0.0], "mutants": [0, 0, 0, 0.0]}, []
        claims_made, unconfirmed = 0, []
        for number, file, kernel, modes in measured:
            row, total = [], 0
            for mode in ["outcomes", "mutants"]:
                cases, seconds = modes.get(mode, ([], 0))
                name = f"m{number}_{kernel}"
                results = build / "gputest" / name / "mutation.json"
                results.unlink(missing_ok=True)
                score = "-"
                if cases:
                    use(cases, folder / f"{name}.json")
                    ran = subprocess.run([build / "gputest" / name / f"{name}_harness", "--mutation"],
                                         capture_output=True, text=True)
                    if results.exists():
                        counted = list(verdicts(results))
                        killed = sum(verdict in KILLED for _, verdict in counted)
                        total = len(counted)
                        score = f"{100 * killed / max(total, 1):.1f} %"
                        for i, value in enumerate([total, killed, len(cases), seconds]):
                            sums[mode][i] += value
                        if mode == "mutants":
                            claims = claimed(cases)
                            wrong = claims & {one["id"] for one, verdict in counted if verdict not in KILLED}
                            unconfirmed += [f"{file.stem}: said to be killed, and lives: {one}" for one in wrong]
                            claims_made += len(claims)
                            remarks += [f"{file.stem}:{one['location']['start']['line']}: {one['id']}: "
                                        f"{one['mutatorName']}: '{one['gputest'].get('text', '')}' -> "
                                        f"'{one.get('replacement', '')}': {verdict}"
                                        for one, verdict in counted if verdict not in KILLED]
                    else:
                        print(f"{name}: {ran.stdout[-300:]} {ran.stderr[-300:]}", file=sys.stderr)
                row += [score, len(cases), f"{seconds:.1f}"]
            table.row(f"{file.stem}: {kernel}", total, *row)
        table.row("all", sums["mutants"][0], *[text for mode in ["outcomes", "mutants"] for text in
                  (f"{100 * sums[mode][1] / max(sums[mode][0], 1):.1f} %", sums[mode][2], f"{sums[mode][3]:.1f}")])
        print(f"{claims_made} kills that cases name, of which {len(unconfirmed)} are none on the device")
        for line in unconfirmed + (remarks if given.left else []):
            print(line)


if __name__ == "__main__":
    sys.exit(main())
