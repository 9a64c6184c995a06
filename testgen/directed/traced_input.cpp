// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/directed/traced_input.h"

#include "testgen/launcher.h"

#include <algorithm>
#include <cstdint>

namespace gputest::testgen {
namespace {

// Hundreds of times those of a launch, and 0.3 s of an idle machine.
constexpr std::int64_t kTraceSteps = 50'000'000;
// Processor time, for code that makes no steps. What ends here says so (kLate), so it comes before
// the end of the time for a question.
constexpr double kTraceSeconds = 1.5;

} // namespace

Launch launch_of(const Shape& shape) {
  return {.sizes = shape, .limit = kTraceSeconds, .steps = kTraceSteps};
}

std::vector<Argument> arguments_of(const Target& target, const Input& input) {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& described = target.arguments[i];
    const Content& content = input.arguments[i];
    Argument& argument = arguments.emplace_back();
    argument.kind = described.kind;
    argument.bytes = content.bytes;
    argument.local_bytes = content.local_size;
    argument.null = content.is_null;
    if (described.kind == ir::Parameter::Kind::Sampler)
      argument.sampler = sampler_bits(content.sampler);
    if (described.kind == ir::Parameter::Kind::Image)
      argument.image = image_of(described, content);
  }
  return arguments;
}

std::optional<Input> with_answer(Input input, const Launch& launch,
                                 const std::vector<Argument>& arguments, const Target& target) {
  input.shape = launch.sizes;
  if (const auto& required = target.interface.required_work_group_size)
    for (unsigned i = 0; i < input.shape.dimensions; ++i)
      if ((*required)[i] != input.shape.local[i])
        return std::nullopt;
  if (std::ranges::any_of(input.shape.offset,
                          [](std::uint64_t offset) { return offset > kMostOffset; }))
    return std::nullopt;
  if (input.shape.items() > kMostItems || !target.takes_group_of(input.shape.items_of_group()))
    return std::nullopt;
  for (std::size_t i = 0; i < input.arguments.size(); ++i) // a state may follow
    if (arguments[i].bytes.size() == input.arguments[i].bytes.size())
      input.arguments[i].bytes = arguments[i].bytes;
  return input;
}

} // namespace gputest::testgen
