// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is unwritten, against a list of all bytes. GPUTEST_RANDOM: the number of programs.
#include "layer/opencl/host/unwritten_memory.h"
#include "tests/catch.h"
#include "tests/random_count.h"

#include <algorithm>
#include <array>
#include <random>

namespace gputest::layer {
namespace {

constexpr std::size_t kMemories = 3, kSize = 24;
using Unwritten = std::array<bool, kSize>; // whether they are unwritten

Unwritten unwritten_in(const std::vector<UnwrittenMemory::Range>& ranges) {
  Unwritten bytes{};
  for (const auto& [begin, size] : ranges)
    for (std::uint64_t at = begin; at < begin + size; ++at)
      bytes.at(at) = true;
  return bytes;
}

} // namespace

TEST_CASE("writes and copies leave unwritten what nobody has written") {
  const std::size_t programs = gputest::tests::random_count(100);
  for (std::size_t seed = 0; seed < programs; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&](std::size_t limit) { return random() % limit; };
    const std::array<int, kMemories> handles{};
    std::array<Unwritten, kMemories> wanted{};
    UnwrittenMemory memory;
    for (const int& handle : handles)
      memory.made(&handle, 0);
    for (int step = 0; step < 40; ++step) {
      const std::size_t to = below(kMemories), from = below(kMemories);
      const std::size_t size = below(kSize), begin = below(kSize - size + 1),
                        from_begin = below(kSize - size + 1);
      const auto part = [&](Unwritten& bytes, std::size_t at) { return bytes.begin() + at; };
      const std::size_t what = below(8);
      if (what == 0) { // its handle is that of another one from now on
        memory.forget(&handles[to]);
        memory.made(&handles[to], size);
        wanted[to].fill(false);
        std::fill_n(wanted[to].begin(), size, true);
      } else if (what < 4) {
        memory.copied(&handles[from], {from_begin, size}, &handles[to], begin);
        Unwritten source = wanted[from];
        std::copy_n(part(source, from_begin), size, part(wanted[to], begin));
      } else {
        memory.written(&handles[to], {begin, size});
        std::fill_n(part(wanted[to], begin), size, false);
      }
      for (std::size_t i = 0; i < kMemories; ++i)
        REQUIRE(unwritten_in(memory.within(&handles[i], {0, kSize})) == wanted[i]);
      Unwritten of_part{};
      std::copy_n(part(wanted[to], begin), size, of_part.begin());
      REQUIRE(unwritten_in(memory.within(&handles[to], {begin, size})) == of_part);
    }
  }
}

TEST_CASE("memory that is not known counts as written") {
  const int known = 0, unknown = 0;
  UnwrittenMemory memory;
  memory.made(&known, 8);
  memory.copied(&known, {0, 8}, &unknown, 0);
  CHECK(memory.within(&unknown, {0, 8}).empty());
  CHECK(memory.within(&known, {4, 8}) == std::vector<UnwrittenMemory::Range>{{0, 4}});
  memory.forget_all();
  CHECK(memory.within(&known, {0, 8}).empty());
}

} // namespace gputest::layer
