# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warm_caches.py GPUTEST_CUDA GPUTEST [RUNS]

What `--caches warm` takes beside `--caches cold`, in seconds of processor time, in turns: the keeping of a program with
many launches, and the model with one of them. Prints the median and the largest of each.
"""
import ctypes
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

COMPILER, GPUTEST = map(os.path.abspath, sys.argv[1:3])
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 5

PR_SET_CHILD_SUBREAPER = 36  # simulators end by themselves after their programs, and count, too
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

PROGRAM = r"""
__global__ void produce(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] += threadIdx.x; }
__global__ void consume(float* out, const float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * 2;
}
int main(int, char** arguments) {
  const int n = 1 << 18;
  float *a = nullptr, *out = nullptr;
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&out, n * sizeof *out);
  cudaMemset(a, 0, n * sizeof *a);
  cudaMemset(out, 0, n * sizeof *out);
  for (int i = 0; i < (arguments[1][0] == 'm' ? 500 : 1); ++i) {
    produce<<<n / 256, 256>>>(a);
    consume<<<n / 256, 256>>>(out, a);
  }
  return cudaDeviceSynchronize();
}
"""


def seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in words], check=True, capture_output=True)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "program.cu").write_text(PROGRAM)
    subprocess.run([COMPILER, folder / "program.cu", "-o", folder / "program"], check=True)
    launch = folder / "warm" / "launches" / "program.consume.1.json"

    def run(caches, what):
        return seconds([GPUTEST, "run", "--memory", "1", "--gpu", "h200", "--caches", caches, "--output", folder / caches, "--",
                        folder / "program", what])

    def model(caches):
        return seconds([GPUTEST, "memory", "--gpu", "h200", "--caches", caches, "--launch", launch])

    rows = {"run, 1,000 launches": lambda caches: run(caches, "many"), "run, 2 launches": lambda caches: run(caches, "few"),
            "model of one launch": model}
    for title, measured in rows.items():
        found = {"cold": [], "warm": []}
        for _ in range(RUNS + 1):  # the first one compiles
            for caches in found:
                found[caches].append(measured(caches))
        for caches, all_of in found.items():
            print(f"{title}, {caches}: {statistics.median(all_of[1:]):.2f} s, at most {max(all_of[1:]):.2f} s")
