"""async_copies.py GPUTEST_CUDA WORK

Random kernels of asynchronous copies, commits, waits and barriers, checked for races. What is right is computed here:
a thread's copy is complete when the thread has waited for its stage, and others see it after a barrier behind that.
GPUTEST_RANDOM: the number of kernels.
"""
import os, random, sys

from race_kernels import judge

COMPILER, WORK = map(os.path.abspath, sys.argv[1:3])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "30"))
THREADS = 8
WAYS = {
    # copy, commit, wait for all but the last n stages
    "primitives": ("__pipeline_memcpy_async(&tile[{s}][t], &in[t], sizeof(int));", "__pipeline_commit();",
                   "__pipeline_wait_prior({n});"),
    "pipeline": ("cuda::memcpy_async(&tile[{s}][t], &in[t], sizeof(int), pipe);", "pipe.producer_commit();",
                 "cuda::pipeline_consumer_wait_prior<{n}>(pipe);"),
    "ptx": ('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: '
            '"r"((unsigned)__cvta_generic_to_shared(&tile[{s}][t])), "l"(in + t) : "memory");',
            'asm volatile("cp.async.commit_group;" ::: "memory");', 'asm volatile("cp.async.wait_group {n};" ::: "memory");'),
}


class Model:
    """All threads run the same steps. A slot of the tile is written by a copy and read by its thread or by another."""

    def __init__(self):
        self.stage, self.pending = 0, []  # slots and their stages
        self.waited, self.read = set(), set()  # slots that were waited for, or read by others, since the last barrier

    def step(self, what, number):
        """Returns whether the step is a race."""
        busy = {slot for slot, _ in self.pending}
        if what == "copy":
            race = number in busy or number in self.read  # others may still read it
            self.pending.append((number, self.stage))
            self.waited.discard(number)
            return race
        if what == "commit":
            self.stage += 1
        elif what == "wait":
            done = [one for one in self.pending if one[1] < self.stage - number]
            self.pending = [one for one in self.pending if one not in done]
            self.waited |= {slot for slot, _ in done} - {slot for slot, _ in self.pending}
        elif what == "barrier":
            self.waited.clear()
            self.read.clear()
        elif what == "own":
            return number in busy
        elif what == "other":
            self.read.add(number)
            return number in busy or number in self.waited
        return False


def kernel(number, chance):
    way = chance.choice(sorted(WAYS))
    copy, commit, wait = WAYS[way]
    lines, model, race = [], Model(), False
    for _ in range(chance.randint(4, 14)):
        what = chance.choice(["copy", "copy", "commit", "wait", "barrier", "barrier", "own", "other"])
        n = chance.randint(0, 2)
        lines.append({"copy": copy.format(s=n), "commit": commit, "wait": wait.format(n=n), "barrier": "__syncthreads();",
                      "own": f"sum += tile[{n}][t];", "other": f"sum += tile[{n}][{THREADS - 1} - t];"}[what])
        race = model.step(what, n) or race
    text = "\n  ".join(lines)
    return race, f"""__global__ void k{number}(const int* in, int* out) {{
  __shared__ int tile[3][{THREADS}];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 3; ++i)
    tile[i][t] = 0;
  __syncthreads();
  int sum = 0;
  {text}
  out[t] = sum;
  pipe.quit();
}}
"""


def main():
    os.makedirs(WORK, exist_ok=True)
    chance = random.Random(7)
    races, text = [], "#include <cuda/pipeline>\n#include <cuda_pipeline.h>\n#include <cstdio>\n"
    for number in range(COUNT):
        race, code = kernel(number, chance)
        races.append(race)
        text += code
    text += f"int main() {{\n  int *in, *out;\n  cudaMalloc(&in, {4 * THREADS});\n  cudaMalloc(&out, {4 * THREADS});\n"
    text += f"  cudaMemset(in, 0, {4 * THREADS});\n"
    for number in range(COUNT):
        text += f'  fprintf(stderr, "kernel {number}\\n");\n  k{number}<<<1, {THREADS}>>>(in, out);\n  cudaDeviceSynchronize();\n'
    text += "  return cudaGetLastError() != cudaSuccess;\n}\n"
    judge(COMPILER, WORK, "copies", text, races, 0)


main()
