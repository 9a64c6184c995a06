"""simulated_forks.py GPUTEST_CUDA GPUTEST EXAMPLES WORK

Mutants of programs in the simulator: in forks each has the verdict that it has in a process of its own. A program that
cannot be run so is told why. GPUTEST_RANDOM: all mutants of all examples, instead of a few of some.
"""
import json, os, re, subprocess, sys

COMPILER, GPUTEST, EXAMPLES, WORK = map(os.path.abspath, sys.argv[1:5])
MANY = "GPUTEST_RANDOM" in os.environ

# Counts its starts and runs in files, one byte each: what begins before main() begins once for all forks.
COUNTED = r"""
#include <cstdio>
#include <cstdlib>
static void count(const char* name) {
  FILE* const file = std::fopen(name, "a");
  std::fputc('x', file);
  std::fclose(file);
}
static const bool started = (count("starts"), true);
"""
VARIABLES = COUNTED + r"""
__device__ int calls = 5;
__device__ __managed__ int last = 7;
__constant__ int factors[2] = {3, 1};
__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * factors[0] + factors[1];
  if (i == 0) {
    atomicAdd(&calls, 1);
    last = n;
  }
}
int main() {
  count("runs");
  int n = 0, in[100], out[100], *from, *to;
  while (n < 100 && std::scanf("%d", &in[n]) == 1)
    ++n;
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; ++round)
    scale<<<4, 32>>>(from, to, n);
  if (cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 4;
  int times = 0;
  cudaMemcpyFromSymbol(&times, calls, sizeof times);
  if (n != 100 || times != 8 || last != 100) // others' runs are not seen
    return 3;
  for (int i = 0; i < 50; ++i)
    if (out[i] != 3 * in[i] + 1)
      std::abort();
  return out[98] == 3 * in[98] + 1 ? 0 : 1;
}
"""
# Its mutants end in every way. `sleep`: a wait of the host that only the time limit ends.
ENDS = COUNTED + r"""
#include <unistd.h>
__global__ void steps(int* out, int count) {
  const int i = threadIdx.x + 64 * blockIdx.x;
  int taken = 0;
  for (int left = count; left > 0; left -= 8)
    ++taken;
  if (i >= count)
    __trap();
  out[i] = taken;
}
int main() {
  count("runs");
  constexpr int n = 128;
  int *out = nullptr, host[n] = {};
  cudaMalloc(&out, sizeof host);
  steps<<<2, 64>>>(out, n);
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    std::abort();
  while (host[0] == 17)
    usleep(1000);
  std::printf("%d\n", host[1]);
  return host[5] < 0 ? 9 : 0;
}
"""
# What $EARLY names happens before main().
EARLY = r"""
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
static bool begin() {
  const char* const what = std::getenv("EARLY");
  if (std::strcmp(what, "calls") == 0) {
    int* memory;
    return cudaMalloc(&memory, 4) == cudaSuccess;
  }
  if (std::strcmp(what, "thread") == 0)
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  if (std::strcmp(what, "file") == 0)
    return std::fopen("input", "r") != nullptr;
  if (std::strcmp(what, "memory") == 0)
    return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != nullptr;
  return true;
}
static const bool begun = begin();
__global__ void put(int* out) { out[threadIdx.x] = 2 * threadIdx.x + 1; }
int main() {
  int *out, host[16];
  cudaMalloc(&out, sizeof host);
  put<<<1, 16>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return begun && host[3] == 7 ? 0 : 1;
}
"""
REFUSED = [
    ("calls", r"the program calls CUDA before main\(\)"),
    ("thread", r"the program has a thread before main\(\)"),
    ("file", r"the program has opened .*/input before main\(\)"),
    ("memory", r"the program shares .* before main\(\)"),
    ("nothing", None),
]


def must(holds, message):
    if not holds:
        raise SystemExit(message)


def build(name, text, folder=WORK, source=None):
    if source is None:
        source = f"{WORK}/{name}.cu"
        with open(source, "w") as file:
            file.write(text)
    command = [COMPILER, "--gputest-variant=mutants", f"--gputest-folder={WORK}/made", f"--gputest-source-root={folder}",
               "-std=c++17", "-O1", "-o", f"{WORK}/{name}", *(source if isinstance(source, list) else [source])]
    built = subprocess.run(command, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    must(built.returncode == 0, f"{command}\n{built.stdout}")


def verdicts(name, *options):
    """(id, verdict, reason) of each mutant, what was printed, and how often the program has started and run."""
    for file in ("starts", "runs"):
        open(f"{WORK}/{file}", "w").close()
    file = f"{WORK}/results/mutation.json"
    if os.path.exists(file):
        os.remove(file)
    command = [GPUTEST, "run-cuda", "--mutation", "--fresh", "--output", f"{WORK}/results", "--no-simulator", "--name", name,
               "--source-root", WORK, *options, "--", f"{WORK}/{name}"]
    with open(f"{WORK}/input") as numbers:
        run = subprocess.run(command, cwd=WORK, stdin=numbers, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    must(run.returncode == 0 and os.path.exists(file), f"{command}: {run.returncode}\n{run.stdout}")
    with open(file) as results:
        found = [(mutant["id"], mutant["status"], re.sub(r"\d+(\.\d+)? s", "", mutant.get("statusReason", "")))
                 for of in json.load(results)["files"].values() for mutant in of["mutants"]]
    counts = [os.path.getsize(f"{WORK}/{file}") for file in ("starts", "runs")]
    return sorted(found), run.stdout, counts


def compare(name, *options, expected=(), counted=True):
    forks, said, (starts, runs) = verdicts(name, *options)
    some = [] if MANY else ["--setting", "mutation.sample=14"]
    whole, said_whole, (starts_whole, runs_whole) = verdicts(name, "--whole-runs", *some, *options)
    # On a busy machine any run may exceed the limit, which is one of the clock.
    # A duplicate runs where its first mutant is not in the sample.
    late = {one for one, status, reason in forks + whole if reason.startswith("still running") or status == "Ignored"}
    both = {one for one, _, _ in forks} & {one for one, _, _ in whole} - late
    must(len(both) >= 4, f"{name}: only {both} have run in both ways and in time")
    forks_in_time, whole_in_time = ([one for one in found if one[0] in both] for found in (forks, whole))
    must(forks_in_time == whole_in_time, f"{name}: in forks\n{forks}\nin processes of their own\n{whole}")
    must("process of its own" not in said + said_whole, f"{name}: {said}")
    for one in expected:
        must(any(one in f"{status} {reason}" for _, status, reason in forks), f"{name}: no mutant is '{one}': {forks}")
    if counted:
        must(starts_whole == runs_whole and starts < runs / 2,
             f"{name}: {starts} starts and {runs} runs; {starts_whole} and {runs_whole} in processes of their own")


def main():
    os.makedirs(WORK, exist_ok=True)
    with open(f"{WORK}/input", "w") as file:
        file.write("\n".join(map(str, range(100))))
    build("variables", VARIABLES)
    compare("variables", expected=["Survived", "exit code 1", "exit code 3", "SIGABRT"])
    build("ends", ENDS)
    compare("ends", "--oracle", "output",
            expected=["a loop had not ended", "SIGABRT", "its output", "still running", "Survived"])
    build("early", EARLY)
    for what, why in REFUSED:
        os.environ["EARLY"] = what
        found, said, _ = verdicts("early", "--setting", "mutation.sample=10")
        told = re.search("early: a process of its own for each mutant: (.*)", said)
        must(re.fullmatch(why, told.group(1)) if why and told else why is None and told is None, f"{what}: not '{why}':\n{said}")
        must({"Killed", "Survived"} <= {status for _, status, _ in found}, f"{what}: {found}")
    examples = sorted(os.listdir(EXAMPLES)) if MANY else ["streams_pipeline"]
    for name in examples:
        folder = f"{EXAMPLES}/{name}"
        if not os.path.isdir(folder):
            continue
        sources = [f"{folder}/{file}" for file in sorted(os.listdir(folder)) if file.endswith((".cu", ".cpp"))]
        build(name, None, folder, sources)
        compare(name, "--source-root", folder, *([] if MANY else ["--setting", "mutation.sample=8"]), counted=False)


main()
