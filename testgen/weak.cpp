// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/weak.h"

#include "runtime/cases/weak.h"

namespace gputest::testgen {
namespace {

std::vector<runtime::ObservedArgument> observed(const Target& target,
                                                const Constraints* constraints, const Input& input,
                                                const Checked& checked) {
  std::vector<runtime::ObservedArgument> arguments;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& argument = target.arguments[i];
    const bool has_after = i < checked.after.size();
    arguments.push_back({.leaves = argument.leaves,
                         .element = argument.type.size,
                         .output = argument.output && has_after,
                         .varies = !argument.shared && constraints && !constraints->domain(i) &&
                                   runtime::may_vary(target.interface.arguments[i]),
                         .before = input.arguments[i].bytes});
    if (has_after)
      arguments.back().after = checked.after[i];
  }
  return arguments;
}

} // namespace

bool is_weak(const Target& target, const Input& input, const Checked& checked) {
  return runtime::says_nothing(observed(target, nullptr, input, checked));
}

std::string why_weak(const Target& target, const Constraints& constraints, Worker& worker,
                     const Input& input, const Checked& checked) {
  return runtime::why_weak(
      observed(target, &constraints, input, checked), runtime::OtherIntegers::Any,
      [&](const std::vector<runtime::Bytes>& before) -> std::optional<std::vector<runtime::Bytes>> {
        Input other = input;
        for (std::size_t i = 0; i < before.size(); ++i)
          other.arguments[i].bytes = before[i];
        if (!constraints.hold(target, other))
          return std::nullopt;
        Checked changed = worker.check(other);
        if (!changed.valid() || changed.after.size() < checked.after.size())
          return std::nullopt;
        return std::move(changed.after);
      });
}

} // namespace gputest::testgen
