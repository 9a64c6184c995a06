"""own_elements.py GPUTEST_CUDA WORK

Random kernels whose threads write, and mostly each have elements of their own. What is right is computed here, from every
pair of accesses. Some arguments point into one allocation, loops run up and down, and indices wrap around.
GPUTEST_RANDOM: the number of kernels.
"""
import os, random, sys
from collections import defaultdict

from race_kernels import judge

COMPILER, WORK = map(os.path.abspath, sys.argv[1:3])
COUNT = int(os.environ.get("GPUTEST_RANDOM", "40"))
ELEMENTS = 1 << 15
WORD = 1 << 32


class Kernel:
    def __init__(self, chance):
        self.blocks, self.threads = chance.choice([(2, 16), (16, 33), (24, 32), (5, 128)])
        count = self.blocks * self.threads
        self.n = chance.choice([count, count - 7, count + 9, 40])
        self.apart = chance.choice([None, None, 0, 1, count, 4 * count, 8000])  # of b behind a; None: another allocation
        self.loop = chance.choice(["", "", f"for (int i = 0; i < {chance.randint(1, 4)}; ++i)", f"for (int i = {chance.randint(0, 3)}; i >= 0; --i)",
                                   f"for (int i = 0; i < {chance.randint(3, 7)}; i += 2)"])
        numbers = [int(word) for word in self.loop.replace(";", " ").split() if word.isdigit()]
        self.turns = ([0] if not self.loop else range(numbers[0], -1, -1) if "--" in self.loop else range(0, numbers[1], 2 if "+= 2" in self.loop else 1))
        self.guarded = chance.random() < 0.5
        self.write, self.written = self.places(self.index(chance))
        self.read, self.seen = self.places(self.index(chance))
        self.reads = chance.choice(["", "a", "b", "b"])

    def index(self, chance):
        """What C and Python compute alike, modulo WORD."""
        return chance.choice(["x", "x", "x + i * {c}", "x * {k} + i", "x * {k} + i", "n - 1u - x", "t * {g} + j", "x ^ 1u", "x / 2u", "t", "j * {l} + t",
                              "x - {c} + {c}", "(x + {c}) % {c}", "x * {k} - i + 8u", "x * 2147483648u + x", "(x * 65536u) * 65536u + j", "4000u - x - i"]).format(
            c=f"{self.blocks * self.threads}u", k=f"{chance.randint(1, 5)}u", g=f"{self.blocks}u", l=f"{self.threads - chance.randint(0, 1)}u")

    def value(self, index, x, t, j, i):
        return eval(index.replace("u", "").replace("/", "//"), {"x": x, "t": t, "j": j, "i": i, "n": self.n}) % WORD

    def places(self, index):
        """Of each thread. The index gets a remainder where it is too large."""
        values = [(x, self.value(index, x, x % self.threads, x // self.threads, i)) for x in range(self.blocks * self.threads)
                  if x < self.n or not self.guarded for i in self.turns]
        if all(value < ELEMENTS for _, value in values):
            return index, values
        return f"({index}) % {ELEMENTS}u", [(x, value % ELEMENTS) for x, value in values]

    def races(self):
        accessing = defaultdict(set)
        for x, place in self.written:
            accessing[place].add(x)
        written = set(accessing)
        for x, place in self.seen if self.reads else []:
            accessing[place if self.reads == "a" else "b" if self.apart is None else place + self.apart].add(x)
        return any(len(accessing[place]) > 1 for place in written)

    def text(self, number):
        read = f"+ {self.reads}[{self.read}]" if self.reads else ""
        guard = "if (x < n) " if self.guarded else ""
        return (f"__global__ void k{number}(unsigned* a, const unsigned* b, unsigned n) {{\n"
                f"  const unsigned t = threadIdx.x, j = blockIdx.x, x = j * blockDim.x + t;\n"
                f"  {guard}{self.loop or 'for (int i = 0; i < 1; ++i)'}\n    a[{self.write}] = x {read};\n}}\n")


os.makedirs(WORK, exist_ok=True)
chance = random.Random(20261130)
kernels = [Kernel(chance) for _ in range(COUNT)]
text = "#include <cstdio>\n" + "".join(kernel.text(number) for number, kernel in enumerate(kernels))
text += f"int main() {{\n  unsigned *a, *other;\n  cudaMalloc(&a, {8 * ELEMENTS});\n  cudaMalloc(&other, {4 * ELEMENTS});\n"
text += f"  cudaMemset(a, 0, {8 * ELEMENTS});\n  cudaMemset(other, 0, {4 * ELEMENTS});\n"
for number, kernel in enumerate(kernels):
    b = "other" if kernel.apart is None else f"a + {kernel.apart}"
    text += f'  std::fprintf(stderr, "kernel {number}\\n");\n  k{number}<<<{kernel.blocks}, {kernel.threads}>>>(a, {b}, {kernel.n});\n  cudaDeviceSynchronize();\n'
text += "}\n"
judge(COMPILER, WORK, "own_elements", text, [kernel.races() for kernel in kernels], COUNT // 5)
