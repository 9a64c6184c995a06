"""killed.py GPUTEST_CUDA GPUTEST GPUTEST_CUDA_RUN WORK

Kills simulators, programs, fork servers and their forks at random moments, some of each kind, while a program is
checked and its mutants run. What others ended is tried again, and then said: no verdict may differ from that of a quiet
run. GPUTEST_RANDOM: the number of rounds.
"""
import collections, json, os, random, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "process"))
import kills
from kills import must

COMPILER, GPUTEST, RUN, WORK = map(os.path.abspath, sys.argv[1:5])
ROUNDS = int(os.environ.get("GPUTEST_RANDOM", "1"))
PROGRAM = r"""
#include <cstdio>
__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 3 + 1;
}
int main() {
  int in[100], out[100], *from, *to;
  for (int i = 0; i < 100; ++i)
    in[i] = i;
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  for (int round = 0; round < 20; ++round)
    scale<<<4, 32>>>(from, to, 100);
  if (cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  return out[99] == 298 ? 0 : 1; // what other elements hold is not looked at
}
"""
ALL = ("gputest-simulat", "program", "passing")
total = collections.Counter()
chance = random.Random(20)
PASSING = PROGRAM.replace("return 1;", "return 0;").replace("? 0 : 1", "? 0 : 0")  # ignores errors


def sh(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def run(command, count, names):
    """Runs it, and kills `count` of its descendants. Returns its exit code, output and what was killed."""
    code, output, killed = kills.run(command, names, count, chance, cwd=WORK)
    total.update(killed)
    return code, output, killed


def check(name, count, names=ALL):
    command = [RUN, "--name", name, "--output", f"{WORK}/checks", "--", f"{WORK}/{name}"]
    code, output, killed = run(command, count, names)
    file = f"{WORK}/checks/{name}/check.json"
    return code, output, killed, json.load(open(file)) if os.path.exists(file) else None


def mutants(count, names=ALL):
    command = [GPUTEST, "run-cuda", "--mutation", "--fresh", "--name", "program", "--output", f"{WORK}/mutants",
               "--source-root", WORK, "--", f"{WORK}/program.mutants"]
    code, output, killed = run(command, count, names)
    file = f"{WORK}/mutants/mutation.json"
    verdicts = {}
    if os.path.exists(file):
        for one in json.load(open(file))["files"].values():
            for mutant in one["mutants"]:
                late = mutant.get("statusReason", "").startswith("still running")  # on a busy machine
                verdicts[mutant["id"]] = "undecided" if late else mutant["gputest"]["verdict"]
    return code, output, killed, verdicts


def main():
    os.makedirs(WORK, exist_ok=True)
    for name, text in (("program", PROGRAM), ("passing", PASSING)):
        with open(f"{WORK}/{name}.cu", "w") as source:
            source.write(text)
        for ending, options in (("", []), (".mutants", ["--gputest-variant=mutants", f"--gputest-folder={WORK}/made",
                                                        f"--gputest-source-root={WORK}"])):
            built = sh(COMPILER, *options, "-o", f"{WORK}/{name}{ending}", f"{name}.cu", cwd=WORK)
            must(built.returncode == 0, built.stdout)
    code, output, _, quiet = mutants(0)
    must(quiet and "survived" in quiet.values() and "killed" in quiet.values(), f"{code} {quiet}\n{output}")
    for name in ("program", "passing"):
        code, output, _, result = check(name, 0)
        must(code == 0 and not result["findings"] and result["cases"][0]["verdict"] == "passed", output)

    def checked(name, count, names=ALL):
        code, output, killed, result = check(name, count, names)
        if code == 3:
            must(len(killed) >= 4 and result is None and "times in a row" in output, f"{killed}\n{output}")
        else:
            must(code == 0 and result["cases"][0]["verdict"] == "passed" and
                 result["cases"][0]["launches"] == 20, f"{name}: {code} after {killed}\n{output}")

    def mutated(count, names=ALL):
        code, output, killed, verdicts = mutants(count, names)
        if not verdicts:  # the original was ended each time
            must(code == 3 and len(killed) >= 4 and "times in a row" in output, f"{killed}\n{output}")
        for one, verdict in verdicts.items():
            must(verdict in (quiet[one], "undecided"), f"{one}: {verdict}, not {quiet[one]}, after {killed}\n{output}")

    for _ in range(ROUNDS):
        for name in ("program", "passing"):
            for count in (2, 9):
                checked(name, count)
        mutated(8)
    kills.meet(("gputest-simulat", "passing"), total, lambda kind: checked("passing", 1, (kind,)))
    kills.meet(("program.mutants", "fork server program.mutants", "fork of program.mutants",
                "fork of gputest-simulat"), total, lambda kind: mutated(1, (kind,)))
    print(dict(total))


main()
