// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/coverage/original_twin.h"

#include "runtime/cases/memory_difference.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::runtime {
namespace {

// Runs of either kernel before a difference is blamed on the instrumentation.
constexpr unsigned kFurtherRuns = 4;

} // namespace

OriginalTwin::OriginalTwin(Machine& machine, Subject original)
    : runner_(machine, std::move(original), {}) {}

void OriginalTwin::launch(const BoundCase& test_case) {
  expected_ = test_case;
  try {
    runner_.launch_alone(*expected_);
  } catch (const KernelFault&) {
    throw;
  } catch (const Error&) { // the test of the original says so
    expected_.reset();
  }
}

OriginalTwin::Verdict OriginalTwin::compare(const BoundCase& initial, const BoundCase& computed,
                                            const std::function<void(BoundCase&)>& again) {
  Verdict verdict;
  if (!expected_)
    return verdict;
  std::vector<MemoryDifference> different = differences(*expected_, computed, initial.tolerance);
  if (different.empty())
    return verdict;
  const auto run_again = [&](const std::function<void(BoundCase&)>& run, const BoundCase& first) {
    BoundCase other = initial;
    try {
      run(other);
    } catch (const KernelError&) { // it wrote out of bounds, which the first run has reported
      return first;
    }
    return other;
  };
  std::set<std::size_t> by_chance = varying(*expected_, kFurtherRuns, [&] {
    return run_again([&](BoundCase& other) { runner_.launch_alone(other); }, *expected_);
  });
  by_chance.merge(varying(computed, kFurtherRuns, [&] { return run_again(again, computed); }));
  std::erase_if(different, [&](const MemoryDifference& difference) {
    return by_chance.contains(difference.position);
  });
  if (!by_chance.empty())
    verdict.varies = fmt::format("{} varies from run to run, and was not compared with what the "
                                 "kernel leaves without coverage",
                                 quoted_names(by_chance, initial));
  for (const MemoryDifference& difference : different)
    verdict.difference +=
        (verdict.difference.empty() ? "" : "\n") +
        describe(difference.comparison, initial.arguments[difference.position].name);
  return verdict;
}

} // namespace gputest::runtime
