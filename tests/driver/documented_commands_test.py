"""Each command line of `gputest` in the documentation is accepted by a small prepared folder, or is one of those that
other tests type. A synopsis such as `gputest report FOLDER --index F [--badge F]` runs with what is in brackets, and
without.

    documented_commands_test.py <checkout> <gputest>
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT, GPUTEST = pathlib.Path(sys.argv[1]), sys.argv[2]
DATA = ROOT / "tests" / "report" / "data"

KERNEL = """int one_more(int x) { return x + 1; }
__kernel void add_one(__global int* data, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] = one_more(data[i]);
}
"""
TEMPLATE = """template <class T> __global__ void saxpy(T a, const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
"""
FAST = """extern "C" __global__ void add_one(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1;
}
"""
CASE = '{"arguments": {"data": [1, 2, 3, 4], "n": 4}, "global_size": [4], "local_size": [4]}\n'

# Commands that need a program, a device's results or somebody who ends them, and the tests that type them.
ELSEWHERE = {"run": "tests/layer", "run-cuda": "tests/cuda", "capture": "tests/layer/capture_test.py", "watch": "tests/cmake/watch",
             "verify": "tests/cmake/mutation", "replay": "tests/cmake/schedules", "progress": "tests/driver/progress_test.py"}
LINES_ELSEWHERE = {"gputest mutants saxpy.cu --instance 'saxpy<float>'": "tests/passes/cuda_kernels_test.cpp",
                   'gputest generate saxpy.cu --kernel "saxpy<float>" -o cases/': "tests/cmake/cuda_kernels"}
# What stands for the words in capitals: by command and the option before it, by the option, or by the word.
WORDS = {"SOURCE": ["kernel.cl"], "SOURCE|FOLDER": ["kernel.cl"], "DIR": ["out"], "KERNEL": ["add_one"], "K": ["add_one"],
         "--function": ["one_more"], "--cases": ["cases.json"], "--case": ["cases.json"], "NAME|FILE": ["h200"], "--interface": ["interface.json"], "--source": ["kernel.cl"], "X": ["4"],
         "--seed": ["1"], "--budget": ["1"], "--seconds": ["1"], "--max-cases": ["2"], "--time-limit": ["1"], "--slots": ["2"],
         "--operators": ["relational_replacement"], "--sites": ["0-1"], "ID": ["{mutant}"], "--mutants": ["ids.txt"],
         "--equivalence-of": ["ids.txt"], "--viewer": ["viewer.js"], "--gpu": ["h200"], "STORE": ["one.db"], "COMMAND": ["report"],
         "report FILE": ["coverage.json"], "report FOLDER": ["kinds"], "cases FILE|FOLDER": ["kinds"],
         "compare-kernels FIRST": ["fast.cu"], "compare-kernels SECOND": ["simple.cl"], "compare FOLDER": ["scan/devices/one", "scan/devices/two"],
         "FILE": ["out/written"], "F": ["out/written"]}
# Exit codes beside 0: where no device is, and where something was found.
ALSO = {"resources": (77,), "report": (1,), "cases": (1,), "prove": (1,), "compare-kernels": (1,)}
# What takes long is told not to.
SHORT = {"compare-kernels": {"--budget": "1"}, "fuzz": {"--seconds": "1"}, "generate": {"--budget": "1"}, "init": {"--budget": "10"},
         "prove": {"--mutants": "ids.txt"}}
# Options of a synopsis that not all rows of the same command have: which file is reported.
ROWS = {"--viewer": "mutation.json"}


def lines():
    """Complete lines in blocks, but those of memory.md, whose kernels tests/memory has; and rows of the table of commands."""
    for page in (*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"):
        text = "" if page.name == "memory.md" else page.read_text()
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("gputest "):
                    yield page.name, line.split(" # ")[0].strip()
    for row in re.findall(r"^\| `(gputest [^`]*)` \|", (ROOT / "docs" / "reference" / "command-line.md").read_text(), re.MULTILINE):
        yield "command-line.md", row.replace("\\|", "|")


def without_brackets(line, keep):
    line = line.replace("[no-]", "no-" if keep else "")
    while (shorter := re.sub(r"\[([^\[\]]*)\]", r"\1" if keep else "", line)) != line:
        line = shorter
    line = re.sub(r"(?<=\w)\|--\S+| \| --\S+ \w+", "", line)  # the first of several
    return line


def words_of(line):
    """The words to run, with files in place of capitals."""
    _, command, *given = shlex.split(line)
    words, option = [command], ""
    for word in given:
        name = word.rstrip("…").removesuffix(",")
        if not name:
            continue
        if not re.fullmatch(r"[A-Z-]+(\|[A-Z]+)?|FIRST-LAST", name) or name.startswith("-"):
            words.append(word)
            option = word if word.startswith("-") else ""
            continue
        known = next(key for key in (f"{command} {name}", option, name) if key in WORDS)
        words += WORDS[known]
        option = ""
    return words


def prepare(folder):
    for name in ("kernel.cl", "kernels.cl", "spmv.cl", "transpose.cl", "bfs.cl", "simple.cl"):
        (folder / name).write_text(KERNEL)
    (folder / "saxpy.cu").write_text(TEMPLATE)
    (folder / "fast.cu").write_text(FAST)
    (folder / "cases.json").write_text(CASE)
    (folder / "viewer.js").write_text("/* mutation-test-report-app */")
    shutil.copy(DATA / "reduce" / "coverage.json", folder / "coverage.json")
    shutil.copy(DATA / "mutation" / "reduce" / "mutation.json", folder / "mutation.json")
    shutil.copytree(DATA / "kinds", folder / "kinds")
    (folder / "build").mkdir()
    shutil.copytree(DATA / "kinds", folder / "build" / "gputest")
    (folder / "coverage").mkdir()
    shutil.copy(DATA / "reduce" / "coverage.json", folder / "coverage" / "a.coverage.json")
    for device in ("one", "two"):
        shutil.copytree(DATA / "kinds" / "sum", folder / "scan" / "devices" / device)
    run(folder, ["describe", "kernel.cl", "-o", "interface.json"])
    mutant = re.search(r"add_one\.[0-9a-f]{10}", run(folder, ["mutants", "kernel.cl"]).stdout).group()
    (folder / "ids.txt").write_text(mutant + "\n")
    # A store is what an index leaves.
    run(folder, ["report", "kinds", "--index", "store/report.html", "--no-terminal"])
    for name in ("one.db", "machine1.db", "machine2.db", "machine3.db"):
        shutil.copy(folder / "store" / "results.db", folder / name)
    # The branch `main` that --against names.
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder)]
    (folder / ".gitignore").write_text("*")
    for words in (["init", "-q", "-b", "main"], ["add", "-f", "kernel.cl", ".gitignore"], ["commit", "-q", "-m", "a"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    run(folder, ["report", "build/gputest", "--index", "build/gputest/report.html", "--no-terminal"])
    return mutant


def run(folder, words):
    (folder / "out").mkdir(exist_ok=True)
    (folder / "store").mkdir(exist_ok=True)
    environment = dict(os.environ, GPUTEST_CACHE_DIR=str(folder / "cache"))
    shell = " ".join(word if "*" in word else shlex.quote(word) for word in (GPUTEST, *words))
    return subprocess.run(["sh", "-c", shell], cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False)


failures, typed = [], set()
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    mutant = prepare(folder)
    for page, line in lines():
        command = line.split()[1]
        if command in ELSEWHERE or line in LINES_ELSEWHERE:
            continue
        for keep in (True,) if command in SHORT else (False, True):
            words = [word.replace("{mutant}", mutant) for word in words_of(without_brackets(line, keep))]
            for option, file in ROWS.items():
                if option in line:
                    words = [file if word == "coverage.json" else word for word in words]
            for option, value in SHORT.get(command, {}).items():
                if option in words:
                    words[words.index(option) + 1] = value
                else:
                    words += [option, value]
            if tuple(words) in typed:
                continue
            typed.add(tuple(words))
            shutil.rmtree(folder / "out", ignore_errors=True)
            done = run(folder, words)
            if done.returncode not in (0, *ALSO.get(command, ())):
                failures.append(f"{page}: gputest {' '.join(words)}: exit code {done.returncode}\n{done.stderr}{done.stdout[-500:]}")
missing = [command for command, where in {**ELSEWHERE, **LINES_ELSEWHERE}.items() if not (ROOT / where).exists()]
print("\n".join(failures))
print(f"{len(typed)} command lines", *missing)
sys.exit(bool(failures or missing or len(typed) < 40))
