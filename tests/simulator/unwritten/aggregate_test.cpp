// Copies of structs, vectors and arrays: each one of which a part is not written, or that is at a
// byte which its type does not allow, is reported at its line, and no other is.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/unwritten/aggregate_kernel.h"

#include <string>

using namespace gputest::simulator::tests;

namespace {

void check_aggregate(const AggregateKernel& kernel, const char* kind, std::uint64_t seed) {
  INFO("seed " << seed << "\n" << kernel.runs.front().text);
  const std::vector<Ran> all = run_all(kernel.runs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("run " << i);
    const unsigned line = kernel.line[i];
    CHECK(all[i].findings() == (line ? kind + (" " + std::to_string(line)) + "\n" : ""));
  }
}

} // namespace

TEST_CASE("Random aggregates of which a part is not written") {
  for (const bool cuda : {false, true})
    for (std::uint64_t seed = 1; seed <= gputest::tests::random_count(cuda ? 6 : 16); ++seed)
      check_aggregate(copied_aggregate(seed, cuda), "uninitialized", seed);
}

TEST_CASE("Random aggregates at bytes that their types do not allow") {
  for (const bool cuda : {false, true})
    for (std::uint64_t seed = 1; seed <= gputest::tests::random_count(cuda ? 4 : 10); ++seed)
      check_aggregate(placed_aggregate(seed, cuda), "misaligned", seed);
}
