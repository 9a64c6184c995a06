// main() of a generated program of warps.py: makes values, runs the kernels, and compares.
#pragma once

template <typename T, typename Make> void fill(T* values, Make make) {
  for (int at = 0; at < kValues; ++at)
    values[at] = make();
}
static void make(Inputs& in, std::mt19937_64& generator) {
  const auto small = [&](int most) { return static_cast<int>(generator() % most); };
  const auto any = [&] { return generator() >> generator() % 60; };
  fill(in.i, [&] { return small(3) ? small(5) - 2 : static_cast<int>(generator()); });
  fill(in.u, [&] {
    return small(3) ? static_cast<unsigned>(small(4)) : static_cast<unsigned>(generator());
  });
  fill(in.k, [&] { return small(4) ? small(4) : small(63); });
  fill(in.t, [&] { return static_cast<unsigned short>(small(2) ? small(4) : any()); });
  fill(in.l, [&] { return small(3) ? small(5) - 2ll : static_cast<long long>(generator()); });
  fill(in.m, [&] { return small(3) ? static_cast<ull>(small(4)) : any(); });
  fill(in.f, [&] { return static_cast<float>(small(5) - 2); });
  fill(in.d, [&] { return (small(9) - 4) * 0.25; });
  fill(in.h, [&] { return __float2half(static_cast<float>(small(5) - 2)); });
  fill(in.b, [&] { return __float2bfloat16(static_cast<float>(small(3) - 1)); });
  fill(in.s, [&] { return Trio{small(9) * 0.5, small(4), static_cast<short>(small(9) - 4)}; });
  const unsigned masks[] = {~0u, 1, 0x80000000, 0xffff, 0xaaaaaaaa, 0x00ffff00, 0xfffffffe};
  fill(in.mask, [&] {
    const unsigned other = static_cast<unsigned>(generator()) & static_cast<unsigned>(generator());
    return small(3) == 0 || other == 0 ? masks[small(7)] : other;
  });
}

static bool told(const char* what, cudaError_t error) {
  if (error != cudaSuccess)
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main() {
  Inputs* in = nullptr;
  ull *out = nullptr, *scratch = nullptr;
  constexpr int threads = kThreads * kBlocks, rows_here = sizeof rows / sizeof *rows;
  const size_t bytes = sizeof(ull) * threads * rows_here;
  if (told("cudaMallocManaged", cudaMallocManaged(&in, sizeof *in)) ||
      told("cudaMallocManaged", cudaMallocManaged(&out, bytes)) ||
      told("cudaMalloc", cudaMalloc(&scratch, sizeof(ull) * 8 * kBlocks * rows_here)))
    return 1;
  std::mt19937_64 generator(kSeed);
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    make(*in, generator);
    std::memset(out, 0, bytes);
    for (int kernel = 0; kernel < kKernels; ++kernel)
      launch(kernel, in, out, scratch);
    if (told("the kernels", cudaDeviceSynchronize()))
      return 1;
    for (int row = 0; row < rows_here; ++row)
      for (int n = 0, shown = 0; n < threads; ++n) {
        const Expected expected = rows[row].expected(*in, n);
        const ull got = out[row * threads + n];
        if (!expected.known || expected.bits == got)
          continue;
        ++wrong;
        if (shown++ < 3)
          std::printf("%s: thread %d gets %llx, not %llx (round %d)\n", rows[row].call, n, got,
                      expected.bits, round);
      }
  }
  return wrong ? 1 : 0;
}
