"""A random CUDA program that checks itself (kernels.py).

usage: program.py <seed> > program.cu
"""
import random
import sys

from kernels import ATOMICS, Kernel


def program(seed, small=False):
    """The text; `small`: one kernel of few statements."""
    rng = random.Random(seed)
    kernels = [Kernel(rng, i, small) for i in range(1 if small else 2)]
    texts = [kernel.text() for kernel in kernels]
    arrays = "".join(f"  {kind}* {name};\n" for name, (kind, _, _) in ATOMICS.items())
    made = "".join(f"    CHECKED(cudaMallocManaged(&{{0}}.{name}, 8 * sizeof({kind}))); for (int i = 0; i < 8; ++i) {{0}}.{name}[i] = i;\n" for name, (kind, _, _) in ATOMICS.items())
    same = "".join(f"    same = same && std::memcmp(args.{name}, host.{name}, 8 * sizeof({kind})) == 0; if (!same) {{ std::printf(\"atomic {name} of kernel %d\\n\", kernel); return 1; }}\n"
                   for name, (kind, _, _) in ATOMICS.items())
    runs = ""
    for kernel in kernels:
        size = 16 * kernel.threads * kernel.grid[0] * kernel.grid[1] * kernel.grid[2]
        runs += f"""  {{
    const int kernel = {kernel.index}; (void)kernel;
    Arguments args = first, host = second;
{made.format('args')}{made.format('host')}    std::vector<unsigned> wanted({size}, 77), got({size}, 77);
    host.in = in.data(); host.out = wanted.data(); args.in = device_in;
    CHECKED(cudaMalloc(&args.out, {size * 4}));
    CHECKED(cudaMemcpyAsync(args.out, got.data(), {size * 4}, cudaMemcpyHostToDevice, streams[{kernel.index % 2}]));
    {kernel.launch()}
    CHECKED(cudaMemcpyAsync(got.data(), args.out, {size * 4}, cudaMemcpyDeviceToHost, streams[{kernel.index % 2}]));
    CHECKED(cudaStreamSynchronize(streams[{kernel.index % 2}]));
    host{kernel.index}<{kernel.template}>(host);
    for (unsigned i = 0; i < {size}; ++i)
      if (got[i] != wanted[i]) {{ std::printf("kernel {kernel.index}, thread %u, value %u: %u and not %u\\n", i / 16, i % 16, got[i], wanted[i]); return 1; }}
    bool same = true;
{same}  }}
"""
    return f"""// A random program, seed {seed}, by tests/cuda/random/program.py.
#include "random/prelude.h"
#include <algorithm>
struct Arguments {{
  const unsigned* in; unsigned* out; unsigned n; unsigned char odd; unsigned list[3];
{arrays}}};
static __constant__ unsigned device_table[64];
static __device__ unsigned device_variable[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};
static unsigned host_table[64], host_variable[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};
#ifdef __CUDA_ARCH__
#define table device_table
#define variable device_variable
#else
#define table host_table
#define variable host_variable
#endif
{"".join(texts)}
int main() {{
  std::vector<unsigned> in(256);
  unsigned state = {seed}u;
  for (unsigned& one : in) {{ state = state * 1664525u + 1013904223u; one = state >> 3; }}
  for (unsigned i = 0; i < 64; ++i) host_table[i] = in[i] ^ i;
  CHECKED(cudaMemcpyToSymbol(device_table, host_table, sizeof host_table));
  unsigned* device_in = nullptr;
  CHECKED(cudaMalloc(&device_in, 1024));
  CHECKED(cudaMemcpy(device_in, in.data(), 1024, cudaMemcpyHostToDevice));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECKED(cudaStreamCreate(&stream));
  Arguments first{{}}; first.n = 2; first.odd = 9; first.list[1] = 12345;
  const Arguments second = first;
{runs}  return 0;
}}
"""


if __name__ == "__main__":
    print(program(int(sys.argv[1])))
