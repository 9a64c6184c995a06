// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/runner.h"

#include <algorithm>

namespace gputest::runtime {

std::vector<std::size_t> outputs_of(const BoundCase& test_case) {
  std::vector<std::size_t> compared, written;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const LaunchArgument& argument = test_case.arguments[i];
    if (argument.has_memory() && test_case.outputs[i])
      compared.push_back(i);
    if (argument.has_memory() && argument.writable)
      written.push_back(i);
  }
  return compared.empty() ? written : compared;
}

std::vector<std::size_t> kept_of(const BoundCase& test_case) {
  std::vector<std::size_t> kept = outputs_of(test_case);
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const LaunchArgument& argument = test_case.arguments[i];
    if (argument.has_memory() && argument.writable && argument.read_back &&
        std::ranges::find(kept, i) == kept.end())
      kept.push_back(i);
  }
  return kept;
}

} // namespace gputest::runtime
