// Pointers that may point into one of several objects: each access outside of the object that it is
// meant for is reported, at its line and with that object, and nothing else is.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/chosen_kernel.h"

using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

void check_kernel(std::uint64_t seed, bool cuda) {
  const ChosenKernel kernel = chosen_kernel(seed, cuda);
  INFO("seed " << seed << (cuda ? ", CUDA" : "") << "\n" << kernel.runs.front().text);
  const std::vector<Ran> all = run_all(kernel.runs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("run " << i);
    const ChosenKernel::Outside& expected = kernel.expected[i];
    const auto& findings = all[i].result.findings;
    CHECK(all[i].findings() ==
          (expected.line ? "out_of_bounds " + std::to_string(expected.line) + "\n" : ""));
    if (expected.line && findings.size() == 1)
      CHECK_THAT(findings[0].message, ContainsSubstring("'" + expected.object + "'"));
  }
}

} // namespace

TEST_CASE("Random pointers into one of several objects") {
  for (const std::uint64_t seed : gputest::tests::random_seeds(12))
    check_kernel(seed, false);
}

TEST_CASE("Random pointers into one of several objects in CUDA") {
  for (const std::uint64_t seed : gputest::tests::random_seeds(4))
    check_kernel(seed, true);
}
