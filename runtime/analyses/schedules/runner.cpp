// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/runner.h"

namespace gputest::runtime {

std::vector<std::size_t> outputs_of(const BoundCase& test_case) {
  std::vector<std::size_t> compared, written;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const LaunchArgument& argument = test_case.arguments[i];
    const bool has_memory = argument.kind == LaunchArgument::Kind::Buffer ||
                            argument.kind == LaunchArgument::Kind::Image;
    if (has_memory && test_case.outputs[i])
      compared.push_back(i);
    if (has_memory && argument.writable)
      written.push_back(i);
  }
  return compared.empty() ? written : compared;
}

} // namespace gputest::runtime
