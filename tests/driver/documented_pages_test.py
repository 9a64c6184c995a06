"""docs/reference/findings.md and docs/reference/operators.md: each kind of finding and each mutation operator has a section, whose first
example shows it and whose second does not. Papers that CITATION.cff names are in docs/internals/papers.md.

usage: documented_pages_test.py <checkout> <gputest> <gputest-simulator> <harness fixture> <folder> [<gputest-cuda>]
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT, GPUTEST, SIMULATOR, HARNESS, WORK = (pathlib.Path(argument) for argument in sys.argv[1:6])
CUDA = sys.argv[6] if len(sys.argv) > 6 else ""
sys.path.insert(0, str(ROOT / "packaging"))
sys.dont_write_bytecode = True
import tables  # noqa: E402


def run(*command, **settings):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=900, check=False, **settings)
    return done.returncode, done.stdout


def of_harness(text, language, folder, kind):
    """What `<harness> --check` says of a kernel, which is launched as its comment says."""
    options = re.match(r"// GLOBAL_SIZE (\d+) LOCAL_SIZE (\d+) ARGUMENTS (.*?)(?: CL_STD (\S+))?(?: CHECK (\w+))?\n", text)
    if not options:
        sys.exit(f"no first line '// GLOBAL_SIZE n LOCAL_SIZE n ARGUMENTS …':\n{text}")
    source = folder / ("k.cu" if language == "cuda" else "k.cl")
    source.write_text(text)
    standard = options[4] or ""
    code, said = run(GPUTEST, "describe", source, "-o", folder / "interface.json", *(["--cl-std", standard] if standard else []))
    if code != 0:
        return said
    kernel = json.loads((folder / "interface.json").read_text())["kernels"][0]["name"]
    description = {"source": str(source), "kernel": kernel, "kernel_dir": str(folder), "global_size": [int(options[1])],
                   "local_size": [int(options[2])], "arguments": options[3].split(), "simulator": str(SIMULATOR),
                   "driver": str(GPUTEST), "cl_std": standard}
    (folder / "description.json").write_text(json.dumps(description))
    more = [options[5]] if options[5] else []
    return run(HARNESS, folder / "description.json", "--check", *more, "--timeout", "5" if kind == "endless" else "100")[1]


def asked(text):
    """The check for which a program's first line asks, such as '// CHECK host'; empty: those of everybody."""
    line = re.match(r"(?://|#) CHECK (\w+)\n", text)
    return line[1] if line else ""


def of_program(text, folder):
    """What a CUDA program with checks prints."""
    (folder / "p.cu").write_text(text)
    code, said = run(CUDA, "-o", folder / "p", folder / "p.cu")
    if code != 0:
        return said
    checks = asked(text) or "races barriers bounds uninitialized arithmetic"
    return run(folder / "p", env=dict(os.environ, GPUTEST_CUDA_CHECKS=checks))[1]


def of_python(text, folder):
    """What `gputest run --check` says of an OpenCL program; nothing where there is no PyOpenCL, or no device."""
    (folder / "p.py").write_text(text)
    if run(sys.executable, "-c", "import pyopencl; pyopencl.create_some_context(interactive=False)")[0] != 0:
        return None
    check = "--check=" + asked(text) if asked(text) else "--check"
    return run(GPUTEST, "run", check, "--output", folder / "out", "--cache", folder / "cache", "--", sys.executable,
               folder / "p.py")[1]


def said_of(example, folder, kind):
    folder.mkdir(parents=True, exist_ok=True)
    language, text = example
    if language == "python":
        return of_python(text, folder)
    if "int main()" in text:
        return of_program(text, folder) if CUDA else None
    return of_harness(text, language, folder, kind)


def faults_of_finding(kind, examples, is_mended_run):
    if len(examples) != 2:
        return [f"{kind}: {len(examples)} examples, and not 2"]
    shown = said_of(examples[0], WORK / f"{kind}.0", kind)
    if shown is None:
        return []
    faults = []
    if f"[{kind}]" not in shown:
        faults.append(f"{kind}: the first example does not show it, but:\n{shown}")
    if not is_mended_run:
        return faults
    mended = said_of(examples[1], WORK / f"{kind}.1", kind)
    if re.search(r"error|\[\w+\]$", mended, re.MULTILINE):
        faults.append(f"{kind}: the second example is not without faults:\n{mended}")
    return faults


def mutants_of(operator, text, name):
    source = WORK / name
    source.write_text(text)
    new = ["--cl-std", "CL3.0"] if re.search(r"_group_|memory_", text) else []
    code, said = run(GPUTEST, "mutants", source, "--operators", operator, *new)
    if code != 0:
        sys.exit(f"{operator}: {said}")
    return re.findall(r": [\w, ]+: '(.*)' -> '(.*)'$", said, re.MULTILINE)


def faults_of_operator(operator, section, is_ignored_too):
    """The example is of the form: a kernel, and in the text "`original` → `replacement`"."""
    examples, shown = tables.examples(section), re.findall(r"`([^`]+)` → `([^`]+)`", section)
    if len(examples) != 1 or len(shown) != 1:
        return [f"{operator}: {len(examples)} examples and {len(shown)} mutants, and not one of each"]
    text = examples[0][1]
    faults = []
    made = mutants_of(operator, text, operator + ".cl")
    if shown[0] not in made:
        faults.append(f"{operator}: no mutant {shown[0]}, but {made}")
    if operator.startswith("alloc_") or not is_ignored_too:
        return faults  # no comment leaves out mutants of the launch
    left = mutants_of(operator, f"// gputest: ignore-begin shown\n{text}// gputest: ignore-end\n", operator + ".without.cl")
    if left:
        faults.append(f"{operator}: mutants where there should be none: {left}")
    return faults


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    findings, operators = tables.sections(ROOT / "docs/reference/findings.md"), tables.sections(ROOT / "docs/reference/operators.md")
    kinds = [kind for check in tables.checks(ROOT) for kind in check["kinds"]]
    faults = []
    for where, written, wanted in (("findings.md", findings, [name for name, _ in kinds]),
                                   ("operators.md", operators, [name for name, _ in tables.operators(ROOT)])):
        if sorted(written) != sorted(wanted):
            faults.append(f"{where}: missing {set(wanted) - set(written)}, too many {set(written) - set(wanted)}")
    # The tables that are read from the sources are those of the product.
    listed = [line.split()[0] for line in run(GPUTEST, "mutants", "--list-operators")[1].splitlines() if line.strip()]
    if listed != [name for name, _ in tables.operators(ROOT)]:
        faults.append(f"`gputest mutants --list-operators` has {listed}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        # Short runs try each second example of four.
        both = lambda i: "GPUTEST_LONG_TESTS" in os.environ or i % 4 == 0
        for more in pool.map(lambda i, one: faults_of_finding(one[0], tables.examples(one[1]), both(i)), itertools.count(), findings.items()):
            faults += more
        for more in pool.map(lambda i, one: faults_of_operator(*one, both(i)), itertools.count(), operators.items()):
            faults += more
    papers = (ROOT / "docs/internals/papers.md").read_text()
    faults += [f"CITATION.cff: docs/internals/papers.md has no {doi}"
               for doi in re.findall(r"doi: (\S+)", (ROOT / "CITATION.cff").read_text()) if f"[{doi}](https://doi.org/{doi})" not in papers]
    if faults:
        sys.exit("\n".join(faults))


main()
