// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/test/weak_case.h"

#include "runtime/cases/weak.h"

#include <algorithm>

namespace gputest::runtime {
namespace {

std::vector<Bytes> memory_of(BoundCase& test_case) {
  std::vector<Bytes> memory;
  for (LaunchArgument& argument : test_case.arguments)
    memory.push_back(std::move(argument.bytes));
  return memory;
}

} // namespace

std::string why_weak(CaseRunner& runner, const model::KernelInterface& interface,
                     const BoundCase& initial, bool by_function) {
  BoundCase computed = initial;
  runner.launch_alone(computed);
  std::vector<std::vector<model::Leaf>> leaves;
  for (const model::Type& type : initial.types)
    leaves.push_back(model::leaves_of(type));
  std::vector<ObservedArgument> arguments;
  for (std::size_t i = 0; i < initial.arguments.size(); ++i) {
    const bool judged =
        by_function ? initial.outputs[i]
                    : std::ranges::find(initial.expected, i, &BoundCase::Expected::position) !=
                          initial.expected.end();
    arguments.push_back({.leaves = leaves[i],
                         .element = leaves[i].empty() ? 0 : initial.types[i].size,
                         .output = judged,
                         .varies = may_vary(interface.arguments[i]),
                         .before = initial.arguments[i].bytes,
                         .after = computed.arguments[i].bytes});
  }
  return why_weak(arguments, OtherIntegers::Occurring,
                  [&](const std::vector<Bytes>& before) -> std::optional<std::vector<Bytes>> {
                    BoundCase other = initial;
                    for (std::size_t i = 0; i < before.size(); ++i)
                      other.arguments[i].bytes = before[i];
                    try {
                      runner.launch_alone(other);
                    } catch (const Error&) { // the kernel is at fault with these
                      return std::nullopt;
                    }
                    return memory_of(other);
                  });
}

} // namespace gputest::runtime
