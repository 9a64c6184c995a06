# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warp_sizes.py GPUTEST_CUDA WORK

Random kernels of warps, compiled once and run with warps of 32 and of 64 threads, as they are and with checks. What is
right is computed here, thread by thread, for both sizes. Then what assumes a size: masks of 32 bits, constants, matrices,
an exchange that only a warp of 64 threads orders.
GPUTEST_RANDOM: the number of kernels.
"""
import os, random, re, subprocess, sys

COMPILER, WORK = map(os.path.abspath, sys.argv[1:3])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "5"))
ALL = 2**64 - 1
MASKS = [ALL, ALL, ALL, 0x00ffff0000ffff00, 0x5555555555555555, 0x000000ff0000000f, 0xffffffff, 0xffffffff00000000]
SHUFFLES = {"sync": "lane", "up_sync": "up", "down_sync": "down", "xor_sync": "xor"}
REDUCTIONS = {"add": lambda a, b: a + b, "min": min, "max": max, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
              "xor": lambda a, b: a ^ b}


def source_of(kind, by, width, lane, size):
    width = width or size
    begin = lane // width * width
    by %= size  # the bits that can name a lane
    if kind == "sync":
        return begin + by % width
    at = {"up_sync": lane - by, "down_sync": lane + by, "xor_sync": lane ^ by}[kind]
    first = 0 if kind == "xor_sync" else begin
    return at if first <= at < begin + width else lane


class Statement:
    """One call by the lanes of a mask, and by the others with another mask, or not at all."""

    def __init__(self, chance):
        self.mask = chance.choice(MASKS)
        self.kind = chance.choice(["shuffle", "shuffle", "reduce", "vote", "match", "tile", "coalesced", "ids", "memory"])
        self.name = chance.choice(list(SHUFFLES if self.kind == "shuffle" else REDUCTIONS))
        self.by = chance.choice([0, 1, 3, 16, 31, 33])
        self.width = chance.choice([0, 0, 4, 16, 32])
        self.tile = chance.choice([1, 2, 8, 32])
        self.both = chance.random() < 0.3 and self.kind in ("shuffle", "reduce", "vote", "match")

    def call(self, mask):
        m = f"{mask:#x}ull"
        if self.kind == "shuffle":
            return f"__shfl_{self.name}({m}, v, {self.by}" + (f", {self.width})" if self.width else ")")
        if self.kind == "reduce":
            return f"__reduce_{self.name}_sync({m}, v)"
        if self.kind == "vote":
            return f"(__ballot_sync({m}, v & 1) + 5 * __any_sync({m}, v % 7 == 0) + 9 * __all_sync({m}, v % 3 != 0))"
        if self.kind == "match":
            return f"__match_any_sync({m}, v % 3)"
        if self.kind == "tile":
            return f"in_tile<{self.tile}>(v)"
        if self.kind == "coalesced":
            return "coalesced(v)"
        if self.kind == "ids":
            return "ids()"
        return f"through_memory(v, {m}, {self.by})"

    def text(self):
        if self.kind in ("tile", "ids"):
            return f"v = 3 * v + {self.call(0)};"
        text = f"if ({self.mask:#x}ull >> lane & 1) v = 3 * v + {self.call(self.mask)};"
        return text + (f" else v = 5 * v + {self.call(ALL ^ self.mask)};" if self.both else "")

    def run(self, values, size):
        result = list(values)
        for first in range(0, len(values), size):
            warp = values[first:first + size]
            members = [l for l in range(len(warp)) if self.mask >> l & 1 or self.kind in ("tile", "ids")]
            others = [l for l in range(len(warp)) if l not in members] if self.both else []
            for factor, lanes in ((3, members), (5, others)):
                for lane in lanes:
                    result[first + lane] = (factor * warp[lane] + self.answer(lane, lanes, warp, first, size)) % 2**32
        return result

    def answer(self, lane, lanes, warp, first, size):
        if self.kind == "shuffle":
            at = source_of(self.name, self.by, self.width, lane, size)
            return warp[at] if at in lanes else 0
        if self.kind == "reduce":
            total = warp[lanes[0]]
            for other in lanes[1:]:
                total = REDUCTIONS[self.name](total, warp[other]) % 2**32
            return total
        bits = lambda those: sum(1 << l for l in those if l < 32)
        if self.kind == "vote":
            return (bits(l for l in lanes if warp[l] & 1) + 5 * any(warp[l] % 7 == 0 for l in lanes)
                    + 9 * all(warp[l] % 3 != 0 for l in lanes))
        if self.kind == "match":
            return bits(l for l in lanes if warp[l] % 3 == warp[lane] % 3)
        if self.kind == "tile":
            begin, end = lane // self.tile * self.tile, min(lane // self.tile * self.tile + self.tile, len(warp))
            tile = range(begin, end)
            below = lane + 1 if lane + 1 < begin + self.tile else lane
            down = warp[below] if below < end else 0
            return down + 7 * any(warp[l] & 2 for l in tile) + sum((warp[l] & 1) << (l - begin) for l in tile)
        if self.kind == "coalesced":
            rank, count = lanes.index(lane), len(lanes)
            return warp[lanes[(rank + 1) % count]] + 100 * count + rank + 1000 * any(warp[l] & 4 for l in lanes)
        if self.kind == "ids":
            return size + 100 * lane + 10000 * (first // size) + ((1 << lane) - 1) % 2**32
        partner = lane ^ self.by
        return warp[partner] if partner in lanes else 1


PRELUDE = """#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;
template <unsigned size> __device__ unsigned in_tile(unsigned v) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  return tile.shfl_down(v, 1) + 7 * tile.any(v & 2) + tile.ballot(v & 1);
}
__device__ unsigned coalesced(unsigned v) {
  const cg::coalesced_group group = cg::coalesced_threads();
  const unsigned rank = group.thread_rank(), count = group.size();
  return group.shfl(v, (rank + 1) % count) + 100 * count + rank + 1000 * group.any(v & 4);
}
__device__ unsigned ids() {
  unsigned lane, warp, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  return warpSize + 100 * lane + 10000 * warp + below;
}
__device__ unsigned through_memory(unsigned v, unsigned long long mask, unsigned by) {
  __shared__ unsigned values[256];
  const unsigned t = threadIdx.x, lane = t % warpSize, partner = lane ^ by;
  __syncwarp(mask);
  values[t] = v;
  __syncwarp(mask);
  const bool is_there = partner < warpSize && t - lane + partner < blockDim.x && mask >> partner & 1;
  const unsigned result = is_there ? values[t - lane + partner] : 1;
  __syncwarp(mask);
  return result;
}
"""
MAIN = """
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 256 * sizeof *out);
  cudaDeviceProp of;
  cudaGetDeviceProperties(&of, 0);
  printf("%d\\n", of.warpSize);
"""


def compiled(name, text, *options):
    with open(os.path.join(WORK, name + ".cu"), "w") as file:
        file.write(text)
    return subprocess.run([COMPILER, name + ".cu", "-o", name, *options], cwd=WORK, capture_output=True, text=True)


def started(name, size="", checks=""):
    findings = os.path.join(WORK, "findings")
    if os.path.exists(findings):
        os.remove(findings)
    more = {"GPUTEST_CUDA_CHECKS": checks, "GPUTEST_CUDA_FINDINGS": findings} if checks else {}
    if size:
        more["GPUTEST_CUDA_WARP_SIZE"] = str(size)
    run = subprocess.run([os.path.join(WORK, name)], capture_output=True, text=True, timeout=600, env=os.environ | more)
    return run, open(findings).read() if os.path.exists(findings) else ""


def expect(what, holds, *shown):
    if not holds:
        sys.exit("\n".join([what, *map(str, shown)]))


os.makedirs(WORK, exist_ok=True)
chance = random.Random(41)
kernels = []
text, main = PRELUDE, MAIN
for number in range(COUNT):
    threads = chance.choice([20, 32, 40, 64, 96, 128, 150])
    statements = [Statement(chance) for _ in range(chance.randint(3, 7))]
    kernels.append((threads, statements))
    body = "\n".join("  " + one.text() for one in statements)
    text += f"""__global__ void k{number}(unsigned* out) {{
  const unsigned lane = threadIdx.x % warpSize;
  unsigned v = threadIdx.x * 2654435761u ^ {number};
{body}
  out[threadIdx.x] = v;
}}
"""
    main += f"""  k{number}<<<1, {threads}>>>(out);
  if (cudaError_t wrong = cudaDeviceSynchronize()) return printf("{number}: %s\\n", cudaGetErrorString(wrong)), 1;
  for (int i = 0; i < {threads}; ++i) printf("%u%c", out[i], i + 1 < {threads} ? ' ' : '\\n');
"""
made = compiled("kernels", text + main + "}\n")
expect("the kernels do not compile", made.returncode == 0, made.stderr)
for size in ("", 32, 64):
    for checks in ("", "races barriers bounds uninitialized"):
        run, findings = started("kernels", size, checks)
        expect(f"warps of {size} end with {run.returncode}", run.returncode == 0, run.stdout, run.stderr)
        expect(f"warps of {size} have findings", '"kind"' not in findings, findings)
        lines = run.stdout.splitlines()
        expect("the properties have another size", lines[0] == str(size or 32), lines[0])
        for number, (threads, statements) in enumerate(kernels):
            values = [(t * 2654435761 ^ number) % 2**32 for t in range(threads)]
            for one in statements:
                values = one.run(values, size or 32)
            expect(f"kernel {number} is wrong in warps of {size}, checks '{checks}'", lines[number + 1] == " ".join(map(str, values)),
                   *[one.text() for one in statements], "is", lines[number + 1], "shall be", " ".join(map(str, values)))

# A sum of 64 threads by a mask of 32 bits, an exchange between lanes 32 apart, and a tile of 64 threads.
made = compiled("sums", """#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void by_mask(int *out) {
  int v = 1;
  for (int by = warpSize / 2; by > 0; by /= 2)
    v += __shfl_down_sync(0xffffffff, v, by);
  if (threadIdx.x % warpSize == 0)
    out[threadIdx.x / warpSize] = v;
}
__global__ void apart(int *out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = values[threadIdx.x ^ 32];
}
__global__ void in_tile(int *out) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int v = 1;
  for (int by = 32; by > 0; by /= 2)
    v += tile.shfl_down(v, by);
  if (tile.thread_rank() == 0)
    out[tile.meta_group_rank()] = v;
}
int main(int count, char **words) {
  int *out;
  cudaMallocManaged(&out, 256 * sizeof *out);
  if (*words[1] == 'm') by_mask<<<1, 64>>>(out);
  if (*words[1] == 'a') apart<<<1, 64>>>(out);
  if (*words[1] == 't') in_tile<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\\n", out[0], out[1]);
}
""")
expect("the sums do not compile", made.returncode == 0, made.stderr)


def sums(word, size):
    findings = os.path.join(WORK, "findings")
    if os.path.exists(findings):
        os.remove(findings)
    run = subprocess.run([os.path.join(WORK, "sums"), word], capture_output=True, text=True, timeout=600,
                         env=os.environ | {"GPUTEST_CUDA_CHECKS": "races barriers", "GPUTEST_CUDA_FINDINGS": findings,
                                           "GPUTEST_CUDA_WARP_SIZE": str(size)})
    kinds = set(re.findall(r'"kind": ?"(\w+)"', open(findings).read() if os.path.exists(findings) else ""))
    return run.stdout.strip(), kinds, run.stderr


for word, size, output, kinds, words in [
        ("mask", 32, "32 32", set(), ""), ("mask", 64, None, {"divergent_warp"}, "which does not name it; warps have 64 threads here"),
        ("apart", 32, None, {"race"}, ""), ("apart", 64, "32 33", set(), ""),
        ("tile", 32, "64 64", set(), ""), ("tile", 64, "64 64", set(), "")]:
    got = sums(word, size)
    expect(f"{word} in warps of {size}", (output is None or got[0] == output) and got[1] == kinds and words in got[2], *got)

# A size that the code has as a constant.
constant = """#include <cstdio>
__global__ void k(int *out) {
  static_assert(warpSize == 32, "made for 32");
  __shared__ int values[warpSize];
  values[threadIdx.x % warpSize] = warpSize;
  out[threadIdx.x] = values[threadIdx.x % 32];
}
int main() {
  int *out;
  cudaMallocManaged(&out, 256);
  k<<<1, 32>>>(out);
  const cudaError_t wrong = cudaDeviceSynchronize();
  printf("%d %d\\n", wrong, out[31]);
}
"""
made = compiled("constant", constant)
expect("warpSize is no constant", made.returncode == 0, made.stderr)
for size, output, words in (("", "0 32", ""), (32, "0 32", ""), (64, None, "uses warpSize as a constant, so it is compiled for 32")):
    run, _ = started("constant", size)
    expect(f"a constant size and {size}", (output is None or run.stdout.strip() == output) and words in run.stderr, run.stdout, run.stderr)
made = compiled("constant", constant, "-DGPUTEST_WARP_SIZE=64")
expect("the static_assert holds for 64", made.returncode != 0 and "made for 32" in made.stderr, made.stderr)
made = compiled("constant", constant.replace("== 32", "== 64"), "-DGPUTEST_WARP_SIZE=64")
run, _ = started("constant")
expect("compiled for 64", made.returncode == 0 and run.stdout.strip() == "0 64", made.stderr, run.stdout, run.stderr)
made = compiled("constant", constant, "-DGPUTEST_WARP_SIZE=16")
expect("a warp of 16", made.returncode != 0 and "a warp has 32 or 64 threads" in made.stderr, made.stderr)

# Matrices are for 32.
made = compiled("matrix", """#include <cstdio>
#include <mma.h>
using namespace nvcuda;
__global__ void k(float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
int main() {
  float *out;
  cudaMallocManaged(&out, 1024);
  k<<<1, 32>>>(out);
  printf("%d\\n", cudaDeviceSynchronize());
}
""")
run, _ = started("matrix", 64)
expect("matrices in warps of 64", "matrix.cu:7:" in run.stderr and "is for warps of 32 threads, and warps have 64" in run.stderr, run.stderr)
