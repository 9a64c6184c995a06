// Whatever the static analysis is sure of happens: random kernels, each work-item alone, on caches
// of several kinds. GPUTEST_MEMORY_PROGRAMS=3000 runs more of them.
#include "tests/catch.h"
#include "tests/memory/alone.h"
#include "tests/memory/gpus.h"
#include "tests/memory/random_kernel.h"
#include "tests/memory/traced.h"

#include <cstdlib>
#include <iostream>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

std::vector<Gpu> gpus() {
  Gpu through = small_gpu(); // writes go on, lines have sectors, and sets are found by a hash
  through.caches.front() = {.name = "L1",
                            .size = 1024,
                            .line = 64,
                            .sector = 16,
                            .ways = 4,
                            .hashed = true,
                            .hit_cycles = 1,
                            .write = CacheLevel::Write::Through};
  Gpu direct = small_gpu();
  direct.caches.front() = {.name = "L1",
                           .size = 2048,
                           .line = 32,
                           .sector = 32,
                           .ways = 1,
                           .hit_cycles = 1,
                           .write = CacheLevel::Write::Back};
  return {gpu_named("embedded"), small_gpu(), through, direct};
}

} // namespace

TEST_CASE("What is proved of random kernels happens") {
  const char* const wanted = std::getenv("GPUTEST_MEMORY_PROGRAMS");
  const int programs = wanted ? std::atoi(wanted) : 60;
  const std::vector<Gpu> all = gpus();
  std::vector<int> content(RandomKernel::kElements);
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<int>(i * 7919 % 2048);
  AloneCount count;
  for (int seed = 1; seed <= programs; ++seed) {
    const std::string text = RandomKernel(static_cast<std::uint64_t>(seed)).text();
    INFO("seed " << seed << "\n" << text);
    const Tracer traced = tracer(text);
    const TracedLaunch launch = launch_of({16, 1, 1}, {8, 1, 1},
                                          {buffer(content), buffer(content), buffer(content),
                                           value(3 + seed % 7), value(seed % 33u + 1u)});
    const LaunchTrace trace = traced.trace(launch, 1);
    for (const Gpu& gpu : all)
      run_alone(gpu, trace, traced.classify(launch, gpu), count);
    REQUIRE(count.wrong == "");
  }
  // It is sure of something, so the test can fail.
  INFO(fmt::format("{} hits, {} misses, {} kept, {} open", count.hits, count.misses, count.kept,
                   count.open));
  CHECK(count.hits > count.open / 20);
  CHECK(count.misses > count.open / 20);
  CHECK(count.kept > count.open / 200);
  if (wanted)
    std::cout << fmt::format("{} hits, {} misses, {} persistent, {} not classified\n", count.hits,
                             count.misses, count.kept, count.open);
}
