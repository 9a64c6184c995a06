// Random kernels: each fault that one work-item is told to make is reported, at its line, with its
// work-item, and nothing else is. GPUTEST_RANDOM says how many; a failure names the seed.
#include "simulator/checks/definedness_memory.h"
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/faulty_kernel.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

TEST_CASE("Each fault of random kernels is reported, and nothing else") {
  for (const std::uint64_t seed : gputest::tests::random_seeds(6)) {
    FaultyKernel kernel = faulty_kernel(seed);
    kernel.run.in_full = seed % 2 == 0;
    std::vector<Run> runs{kernel.run};
    std::vector<int> items{-1};
    for (std::size_t i = 0; i < kernel.faults.size(); ++i) {
      items.push_back(static_cast<int>((seed + 5 * i) % 16));
      runs.push_back(kernel.run);
      runs.back().arguments[kernel.faults[i].argument] = value(items.back());
    }
    const std::vector<Ran> all = run_all(runs);
    CAPTURE(seed, kernel.run.text);
    CHECK(all[0].findings().empty());
    for (std::size_t i = 0; i < kernel.faults.size(); ++i) {
      const FaultyKernel::Fault& fault = kernel.faults[i];
      CAPTURE(i, items[i + 1]);
      CHECK(all[i + 1].findings() == fault.kind + " " + std::to_string(fault.line) + "\n");
      if (!all[i + 1].result.findings.empty())
        CHECK_THAT(all[i + 1].result.findings[0].message,
                   gputest::tests::ContainsSubstring(
                       "work-item (" + std::to_string(items[i + 1] % 8) + ") of group (" +
                       std::to_string(items[i + 1] / 8) + ")"));
    }
  }
}

TEST_CASE("a program that is linked without PIE has a heap at low addresses, with shadows") {
  constexpr std::size_t kSize = 4096;
  void* const low = ::mmap(reinterpret_cast<void*>(0x300000000), kSize, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  REQUIRE(low != MAP_FAILED);
  {
    const DefinednessMemory memory;
    CHECK(DefinednessMemory::first_undefined(low, kSize) == kSize);
    DefinednessMemory::forget(low, 64);
    DefinednessMemory::define(low, 16);
    CHECK(DefinednessMemory::first_undefined(low, kSize) == 16);
  }
  ::munmap(low, kSize);
}
