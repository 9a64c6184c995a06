// Whatever the static analysis is sure of happens: random kernels, each work-item alone, on caches
// of several kinds. GPUTEST_MEMORY_PROGRAMS=3000 runs more of them, and GPUTEST_MEMORY_SEED=10000
// others.
#include "tests/catch.h"
#include "tests/memory/alone.h"
#include "tests/memory/gpus.h"
#include "tests/memory/random_kernel.h"
#include "tests/memory/traced.h"
#include "tests/random_count.h"

#include <array>
#include <cstdlib>
#include <iostream>
#include <random>

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

// With a first cache of any shape.
Gpu random_gpu(std::mt19937_64& random) {
  const auto among = [&](auto... values) {
    const std::array all{static_cast<std::size_t>(values)...};
    return all[random() % all.size()];
  };
  Gpu gpu = small_gpu();
  CacheLevel& cache = gpu.caches.front();
  cache.line = among(16, 32, 64, 128);
  cache.sector = cache.line / among(1, 1, 2, 4);
  cache.ways = among(1, 2, 3, 4, 8);
  cache.size = cache.line * cache.ways * among(1, 2, 4, 5, 16);
  cache.hashed = random() % 3 == 0;
  cache.shared = random() % 4 == 0;
  cache.write = random() % 2 == 0 ? CacheLevel::Write::Back : CacheLevel::Write::Through;
  if (random() % 3 == 0)
    gpu.local_memory = LocalMemory{.size = 65536, .banks = 32, .bank_bytes = 4, .cycles = 5};
  return gpu;
}

struct Sizes {
  std::array<std::size_t, 3> global_size, local_size;
};
constexpr std::array kSizes{Sizes{{16, 1, 1}, {8, 1, 1}}, Sizes{{16, 1, 1}, {16, 1, 1}},
                            Sizes{{8, 4, 1}, {4, 2, 1}}, Sizes{{6, 2, 1}, {3, 2, 1}}};

int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

} // namespace

TEST_CASE("What is proved of random kernels happens") {
  const int programs =
                number_of("GPUTEST_MEMORY_PROGRAMS", gputest::tests::is_long_run() ? 60 : 25),
            first = number_of("GPUTEST_MEMORY_SEED", 1);
  const std::vector<Gpu> all = gpus();
  std::vector<int> content(RandomKernel::kElements);
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<int>(i * 7919 % 2048);
  AloneCount count;
  for (int seed = first; seed < first + programs; ++seed) {
    const std::string text = RandomKernel(static_cast<std::uint64_t>(seed)).text();
    INFO("seed " << seed << "\n" << text);
    const Tracer traced = tracer(text);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const Sizes& sizes = kSizes[random() % kSizes.size()];
    TracedLaunch launch =
        launch_of(sizes.global_size, sizes.local_size,
                  {buffer(content), buffer(content), buffer(content), value(3 + seed % 7),
                   value(static_cast<unsigned>(seed % 33 + 1))});
    if (random() % 3 == 0)
      launch.sizes.offset = {random() % 20, random() % 3, 0};
    const LaunchTrace trace = traced.trace(launch, {1});
    std::vector<Gpu> gpus = all;
    gpus.push_back(random_gpu(random));
    gpus.push_back(random_gpu(random));
    for (const Gpu& gpu : gpus) {
      const CacheLevel& cache = gpu.caches.front();
      INFO(fmt::format("{} bytes, lines of {}, sectors of {}, {} ways, {}{}{}{}", cache.size,
                       cache.line, cache.sector, cache.ways, cache.hashed ? "hashed " : "",
                       cache.shared ? "shared " : "",
                       cache.write == CacheLevel::Write::Back ? "back" : "through",
                       gpu.local_memory ? ", local memory" : ""));
      run_alone(gpu, trace, traced.classify(launch, gpu), count);
      REQUIRE(count.wrong == "");
    }
  }
  // It is sure of something, so the test can fail.
  INFO(fmt::format("{} hits, {} misses, {} kept, {} open", count.hits, count.misses, count.kept,
                   count.open));
  CHECK(count.hits > count.open / 20);
  CHECK(count.misses > count.open / 20);
  CHECK(count.kept > count.open / 200);
  if (std::getenv("GPUTEST_MEMORY_PROGRAMS"))
    std::cout << fmt::format("{} hits, {} misses, {} persistent, {} not classified\n", count.hits,
                             count.misses, count.kept, count.open);
}
