// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/guards.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::driver {

void print_guards(const testgen::Generated& generated) {
  constexpr std::size_t kMost = 6;
  std::vector<testgen::Guard> guards = generated.guards;
  std::ranges::stable_sort(guards, {}, [](const testgen::Guard& guard) {
    return !guard.condition.empty() ? 0 : guard.always ? 1 : 2;
  });
  for (std::size_t i = 0; i < std::min(kMost, guards.size()); ++i)
    fmt::print("  {}: {}: {}{}\n", model::place_text(guards[i].finding.site),
               guards[i].finding.kind,
               guards[i].always              ? "with every input that was looked at: "
               : guards[i].condition.empty() ? "with some inputs: "
                                             : fmt::format("if {}: ", guards[i].condition),
               guards[i].finding.message);
  if (guards.size() > kMost)
    fmt::print("  and {} more findings of the checks\n", guards.size() - kMost);
}

void print_same_values(const testgen::CaseRisks& risks) {
  if (!risks.same_values.empty())
    fmt::print("    CHECK reports with it: {}\n", risks.same_values);
}

} // namespace gputest::driver
