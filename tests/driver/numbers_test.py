"""numbers_test.py GPUTEST GPUTEST_CUDA_RUN [HARNESS]

Gives absurd numbers to every option that takes one: each is refused with a message that names the option, quickly, and
with exit code 2. NUMBERS lists these options. A value that --help shows in a way that is not listed here, and whose
description speaks of a number, must be in it, so that a new option is not forgotten.
"""
import concurrent.futures, itertools, os, re, subprocess, sys, tempfile

GPUTEST, CUDA_RUN = map(os.path.abspath, sys.argv[1:3])
HARNESS = [os.path.abspath(path) for path in sys.argv[3:4]]
# There is one reader, for which unit.model has a longer list. Here each option must use it.
NO_NUMBERS = ["x", "", "-1", " 1", "nan"]
NO_WHOLE = NO_NUMBERS + ["1e9", "18446744073709551616"]
KINDS = {  # what is refused beside these; what is accepted is in tests of the commands
    "any": NO_WHOLE,                                         # 64 bits
    "count": NO_WHOLE + ["0", "9223372036854775808"],        # from 1
    "from 0": NO_WHOLE + ["9223372036854775808"],
    "seconds": NO_NUMBERS + ["0", "9223372036854775808", "inf"],
    "real": NO_NUMBERS + ["inf"],
    "percent": NO_NUMBERS + ["101", "1e9"],
    "factor": NO_NUMBERS + ["0.5", "1e10"],
    "sizes": NO_WHOLE + ["0", "8,", "8,8,8,8", "9223372036854775808"],
    "offsets": NO_WHOLE + ["8,", "8,8,8,8", "9223372036854775808"],
    "shard": ["x", "", "0/2", "3/2", "1/-1", "-1/2", "1/0", "1/9223372036854775808", " 1/2", "1/ 2", "+1/2", "1"],
    "warp": NO_WHOLE + ["0", "16", "48"],                    # 32 or 64
    "lock step": NO_WHOLE + ["0", "1", "12", "128"],         # 2, 4, 8, 16, 32 or 64
    "optional count": [value for value in NO_WHOLE if value] + ["0", "9223372036854775808"],
}
SETTINGS = {"sample": "count", "seed": "from 0", "timeout-factor": "factor", "baseline": "count", "jobs": "count",
            "tolerance": "real"}
MEMORY = {"largest": "count", "issues": "any", "cycles": "count", "max-bytes": "from 0", "overhead": "percent"}
# By command: what else it needs, and its options with numbers.
NUMBERS = {
    ("generate",): (["k.cl", "-o", "cases"],
                    {"seed": "any", "budget": "seconds", "max-cases": "count", "absolute": "real", "relative": "real", "ulp": "any",
                     "global-size": "sizes", "case-global-size": "sizes", "case-local-size": "sizes",
                     "case-global-offset": "offsets", "lock-step": "lock step"}),
    ("generate", "k.cu"): (["-o", "cases"], {"case-shared-memory": "from 0"}),
    ("init",): (["k.cl", "-o", "made"], {"seed": "any", "budget": "seconds"}),
    ("fuzz",): (["k.cl", "-o", "found"],
                {"seed": "any", "seconds": "seconds", "global-size": "sizes", "case-global-size": "sizes", "case-local-size": "sizes",
                 "case-global-offset": "offsets", "lock-step": "lock step"}),
    ("fuzz", "k.cu"): (["-o", "found"], {"case-shared-memory": "from 0"}),
    ("prove",): (["k.cl"], {"time-limit": "seconds"}),
    ("mutants",): (["k.cl", "--equivalence-of", "ids"], {"time-limit": "seconds"}),
    ("memory",): (["k.cl", "--case", "case.json"],
                  {"seed": "any", "schedules": "count", "issues": "any", "overhead": "percent", "shard": "shard",
                   "global-size": "sizes", "local-size": "sizes", "global-offset": "offsets",
                   "lock-step": "lock step"}),
    ("memory", "k.cu"): (["--case", "case.json"], {"shared-memory": "from 0"}),
    ("memory", "--strategy", "random"): (["k.cl", "--case", "case.json"], {"budget": "seconds", "executions": "count", "keep": "count"}),
    ("harness",): (["--source", "k.cl", "--interface", "interface.json", "--kernel-dir", ".", "--output", "h.cpp"],
                   {"global-size": "sizes", "timeout": "seconds", "absolute": "real", "relative": "real", "ulp": "any",
                    "shared-memory": "from 0", "lock-step": "lock step"}),
    ("harness", "--global-size", "8"): (["--source", "k.cl", "--interface", "interface.json", "--kernel-dir", ".", "--output", "h.cpp"],
                                        {"local-size": "sizes", "global-offset": "offsets"}),
    ("run", "--mutation"): (["--", "/bin/true"], {**SETTINGS, "tolerance": None, "timeout": "seconds", "threshold": "percent"}),
    ("run", "--schedules"): (["--", "/bin/true"], {"seed": "from 0", "tolerance": "real", "jobs": "count"}),
    ("run", "--check"): (["--", "/bin/true"], {"order-seed": "any", "launch-timeout": "seconds", "warp-size": "warp"}),
    ("run", "--memory"): (["--", "/bin/true"], MEMORY),
    ("run",): (["--", "/bin/true"], {"schedules": "optional count", "memory": "optional count"}),
    ("run-cuda", "--mutation"): (["--", "/bin/true"], {**SETTINGS, "tolerance": None, "timeout": "seconds", "threshold": "percent"}),
    ("run-cuda", "--check"): (["--", "/bin/true"], {"order-seed": "any", "launch-timeout": "seconds", "warp-size": "warp"}),
    ("run-cuda",): (["--", "/bin/true"], {"schedules": "optional count", "memory": "optional count"}),
    ("run-cuda", "--memory"): (["--", "/bin/true"], MEMORY),
    ("capture",): (["--", "/bin/true"], {"max-cases": "count", "max-bytes": "any", "timeout": "seconds"}),
    ("watch",): (["build", "--server"], {"parallel": "count", "runs": "from 0", "port": "from 0"}),
    ("verify",): (["harness"], {"sample": "from 0", "seed": "from 0"}),
    ("replay",): (["schedule.json"], {"repeat": "count"}),
    ("resources",): ([], {"slots": "count"}),
}
# Options that share a name with one above, and are not numbers there.
OTHERS = {("run", "schedules"), ("run", "name"), ("capture", "name"), ("fuzz", "replay"), ("run-cuda", "schedules"), ("run-cuda", "name")}
HARNESS_OPTIONS = {"compare": "count", "order-seed": "any", "timeout": "seconds"}
TEXTS = {"FILE", "DIR", "NAME", "LIST", "T", "REGEX", "ORDER", "DEVICE", "NAME|INDEX", "PATH", "ID", "KERNEL", "STANDARD", "FIRST-LAST",
         "NAME[=VALUE]", "ANALYSIS.NAME=VALUE", "NAMES", "COMMIT", "WORDS", "IDS"}
failures = []
turn = itertools.count()


def some_of(values):
    """All with GPUTEST_RANDOM. Else three, which change from option to option: the first is no number at all."""
    if len(values) <= 3 or "GPUTEST_RANDOM" in os.environ:
        return values
    others, at = values[1:], next(turn)
    return [values[0], others[at % len(others)], others[(at + len(others) // 2) % len(others)]]


def run(command, variables=None):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=900,
                          errors="replace", env={**os.environ, **(variables or {})})


def refused(command, what, value, code=2):
    ended = run(command)
    if ended.returncode != code or what not in ended.stdout or len(ended.stdout) > 4000:
        failures.append(f"{' '.join(command[1:])} with '{value}': exit code {ended.returncode}, and it said\n{ended.stdout[:600]}")


def numbers_in_help(command):
    """Options whose value --help names by a letter or word that stands for a number."""
    text = run([GPUTEST, command, "--help"]).stdout
    return {match[1] for match in re.finditer(r"^ +(?:-\w, )?--([a-z-]+)(?:\[?[ =])(N|S|SECONDS|RUNS|BYTES|X|PERCENT)\b", text, re.M)}


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in {"k.cl": "kernel void k(global int* v) { v[get_global_id(0)] = 1; }\n", "ids": "x\n",
                       "k.cu": "__global__ void k(int* v) { v[threadIdx.x] = 1; }\n",
                       "case.json": '{"name": "c", "global_size": [8], "arguments": {"v": {"size": 8}}}\n',
                       "schedule.json": '{"format": "gputest-schedule-1", "kernel": "k"}\n'}.items():
        with open(name, "w") as file:
            file.write(text)
    listed, tasks = {}, []
    for words, (rest, options) in NUMBERS.items():
        for option, kind in options.items():
            listed.setdefault(words[0], set()).add(option)
            tasks += [([GPUTEST, *words, f"--{option}={value}", *rest], f"--{option}", value) for value in some_of(KINDS.get(kind, []))]
    for command, options in listed.items():
        for option in numbers_in_help(command) - options:
            if (command, option) not in OTHERS:
                failures.append(f"gputest {command} --help: --{option} takes a number, and NUMBERS has no row for it")
    tasks += [([CUDA_RUN, "--name", "n", "--output", "o", "--timeout", value, "--", "/bin/true"], "--timeout", value)
              for value in KINDS["seconds"]]
    for harness in HARNESS:
        with open("description.json", "w") as file:
            file.write('{"source": "k.cl", "kernel": "k", "kernel_dir": "."}')
        for option, kind in HARNESS_OPTIONS.items():
            tasks += [([harness, "description.json", f"--{option}={value}"], f"--{option}", value) for value in KINDS[kind]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda task: refused(*task), tasks))
for failure in failures:
    print(failure)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
