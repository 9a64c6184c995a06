// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many instructions of warps the model runs in a second, on one core: a product of matrices,
// row by column, with two reads and six other instructions an iteration.
#include "memory/model/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace gputest::memory;

namespace {

LaunchTrace product(std::uint64_t n) {
  LaunchTrace trace;
  trace.kernel = "product";
  trace.warp_size = 32;
  for (const char* name : {"a", "b", "c"})
    trace.objects.push_back({.name = name, .local = false, .size = n * n * 4});
  trace.references = {{.kind = Reference::Kind::Read, .object = 0, .size = 4},
                      {.kind = Reference::Kind::Read, .object = 1, .size = 4},
                      {.kind = Reference::Kind::Write, .object = 2, .size = 4}};
  const auto access = [](WarpWriter& warp, std::uint32_t object, std::uint64_t first,
                         std::uint64_t stride) {
    std::vector<Place> places;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      places.push_back(
          {.lane = lane, .object = object, .offset = 4 * (first + lane * stride), .size = 4});
    warp.access(object, places);
  };
  for (std::uint64_t top = 0; top < n; top += 8)
    for (std::uint64_t left = 0; left < n; left += 32) {
      for (std::uint64_t y = top; y < top + 8; ++y) {
        WarpWriter warp(trace);
        for (std::uint64_t k = 0; k < n; ++k) {
          warp.compute(6);
          access(warp, 0, y * n + k, 0);
          access(warp, 1, k * n + left, 1);
        }
        access(warp, 2, y * n + left, 1);
        warp.end();
      }
      trace.groups.push_back(static_cast<std::uint32_t>(trace.warps.size()));
    }
  return trace;
}

} // namespace

int main() {
  const LaunchTrace trace = product(256);
  for (const std::string& name : preset_names()) {
    const Gpu gpu = gpu_named(name);
    double best = 1e9;
    RunCount count;
    for (int i = 0; i < 5; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      count = run(gpu, trace);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      best = std::min(best, seconds.count());
    }
    std::uint64_t accesses = 0;
    for (const ReferenceCount& reference : count.references)
      accesses += reference.executions;
    std::printf("%s: %.1f million instructions of warps a second, %.1f million of them accesses\n",
                name.c_str(), static_cast<double>(count.instructions) / best / 1e6,
                static_cast<double>(accesses) / best / 1e6);
  }
}
