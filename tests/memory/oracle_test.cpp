// The trace and the model of memory beside a second way to the same counts (plain_memory.h), for
// random kernels. GPUTEST_RANDOM says how many; a failure names the seed.
#include "tests/catch.h"
#include "tests/memory/gpus.h"
#include "tests/memory/plain_memory.h"
#include "tests/memory/traced.h"
#include "tests/random_count.h"

#include <array>

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

// One core that runs one group at a time, with caches of any shape.
Gpu gpu_of_any_shape(std::mt19937_64& random) {
  const auto among = [&](auto... values) {
    const std::array all{static_cast<std::size_t>(values)...};
    return all[random() % all.size()];
  };
  using Write = CacheLevel::Write;
  Gpu gpu = small_gpu();
  gpu.groups_per_core = 1;
  gpu.warps_per_core = 64;
  gpu.warp_size = gpu.width = among(4, 8, 32, 32, 64);
  gpu.loads_in_flight = among(1, 1, 4);
  gpu.dram.bank_bytes = 4096;
  gpu.caches.clear();
  const std::size_t levels = among(1, 1, 2, 2, 3);
  std::size_t line = 16, sector = 4;
  for (std::size_t i = 0; i < levels; ++i) {
    CacheLevel level{.name = "L", .hit_cycles = 1 + 9 * i};
    level.line = line = std::max(line, among(16, 32, 64, 128));
    level.sector = sector = std::max({sector, line / among(1, 1, 2, 4), line / kMostSectors});
    level.ways = among(1, 2, 3, 4);
    level.size = level.line * level.ways * among(1, 2, 4, 5) << 2 * i;
    level.hashed = random() % 3 == 0;
    level.shared = (i != 0 && gpu.caches.back().shared) || random() % 3 == 0;
    level.write =
        std::array{Write::Back, Write::Through, Write::Validate}[random() % (i == 0 ? 2 : 3)];
    gpu.caches.push_back(level);
  }
  if (random() % 2 == 0)
    gpu.local_memory = LocalMemory{
        .size = 65536, .banks = among(16, 32), .bank_bytes = among(4, 4, 8), .cycles = 5};
  return gpu;
}

std::string text_of(const Gpu& gpu) {
  std::string text = fmt::format("warps of {}", gpu.warp_size);
  for (const CacheLevel& cache : gpu.caches)
    text += fmt::format("; {} bytes, lines of {}, sectors of {}, {} ways{}{}{}", cache.size,
                        cache.line, cache.sector, cache.ways, cache.hashed ? ", hashed" : "",
                        cache.shared ? ", shared" : "",
                        cache.write == CacheLevel::Write::Back      ? ", back"
                        : cache.write == CacheLevel::Write::Through ? ", through"
                                                                    : ", validate");
  if (gpu.local_memory)
    text += fmt::format("; {} banks of {}", gpu.local_memory->banks, gpu.local_memory->bank_bytes);
  return text;
}

PlainCounts modelled(const Gpu& gpu, const LaunchTrace& trace) {
  const RunCount run = gputest::memory::run(gpu, trace);
  PlainCounts counts;
  for (std::size_t i = 0; i < trace.references.size(); ++i) {
    const ReferenceCount& one = run.references[i];
    if (one.executions == 0)
      continue;
    PlainCount& sum = counts.references[{trace.references[i].line, trace.references[i].kind}];
    sum.executions += one.executions;
    sum.work_items += one.work_items;
    sum.transactions += one.transactions;
    sum.fewest += one.fewest;
    sum.hits += one.hits;
    sum.misses += one.misses;
  }
  for (const LevelCount& level : run.caches)
    counts.caches.emplace_back(level.hits, level.misses);
  counts.dram = run.dram_requests;
  return counts;
}

std::string text_of(const PlainCounts& counts, bool with_caches) {
  std::string text;
  for (const auto& [reference, one] : counts.references)
    text += fmt::format(
        "line {}, {}: {} times, {} work-items, {} transactions, {} would do{}\n", reference.first,
        reference.second == Reference::Kind::Read    ? "read"
        : reference.second == Reference::Kind::Write ? "write"
                                                     : "update",
        one.executions, one.work_items, one.transactions, one.fewest,
        with_caches ? fmt::format(", {} hits, {} misses", one.hits, one.misses) : "");
  if (!with_caches)
    return text;
  for (const auto& [hits, misses] : counts.caches)
    text += fmt::format("cache: {} hits, {} misses\n", hits, misses);
  return text + fmt::format("DRAM: {}\n", counts.dram);
}

} // namespace

TEST_CASE("Random kernels do to memory what a plain count says") {
  const std::size_t kernels = gputest::tests::random_count(15);
  for (std::size_t seed = 1; seed <= kernels; ++seed) {
    std::mt19937_64 random(seed);
    const PlainKernel kernel(random());
    const Tracer traced = tracer(kernel.text());
    for (unsigned round = 0; round < 4; ++round) {
      const Gpu gpu = gpu_of_any_shape(random);
      // Warps of one group disturb each other, in an order that the plain count does not know.
      const bool one_warp = round != 0;
      const std::size_t size = 1 + random() % (one_warp ? gpu.warp_size : 3 * gpu.warp_size),
                        groups = 1 + random() % 4;
      const TracedLaunch launch =
          launch_of({groups * size, 1, 1}, {size, 1, 1},
                    {floats(PlainKernel::kBytes / 4), floats(PlainKernel::kBytes / 4),
                     floats(PlainKernel::kBytes / 4)});
      INFO(fmt::format("seed {}, {} groups of {}, {}\n{}", seed, groups, size, text_of(gpu),
                       kernel.text()));
      const PlainCounts counted =
          PlainMemory(kernel, gpu).run(static_cast<unsigned>(groups), static_cast<unsigned>(size));
      REQUIRE(text_of(modelled(gpu, traced.trace(launch, gpu.warps())), one_warp) ==
              text_of(counted, one_warp));
    }
  }
}
