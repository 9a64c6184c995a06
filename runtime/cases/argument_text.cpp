// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/argument_text.h"

#include "model/text/plural.h"
#include "runtime/cases/scalar.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Type;

constexpr std::size_t kShown = 16; // scalars

// `left` counts the scalars that may still be shown.
std::string element_text(const Type& type, const std::vector<model::Leaf>& leaves,
                         const std::byte* element, std::size_t& left) {
  const bool is_struct = type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union;
  std::string text;
  for (const model::Leaf& leaf : leaves) {
    text += text.empty() ? "" : ", ";
    if (left == 0) {
      text += "…";
      break;
    }
    --left;
    if (is_struct)
      text += leaf.path.substr(1) + ": "; // without the dot
    text += scalar_text(leaf.scalar, element + leaf.offset);
  }
  return is_struct ? "{" + text + "}" : type.kind == Type::Kind::Vector ? "(" + text + ")" : text;
}

} // namespace

std::string elements_text(const Type& element, std::span<const std::byte> elements) {
  const std::vector<model::Leaf> leaves = model::leaves_of(element);
  const std::size_t count = element.size == 0 ? 0 : elements.size() / element.size;
  std::string text;
  std::size_t left = kShown;
  for (std::size_t i = 0; i < count; ++i) {
    if (left == 0)
      return text + " …";
    text += (i == 0 ? "" : ", ") +
            element_text(element, leaves, elements.data() + i * element.size, left);
  }
  return text;
}

std::string text_before(const BoundCase& test_case) {
  const Launch& launch = test_case.launch;
  std::string text = fmt::format(
      "  global size {}, local size {}", fmt::join(launch.global_size, " x "),
      launch.local_size[0] == 0 ? "chosen by the device"
                                : fmt::format("{}", fmt::join(launch.local_size, " x ")));
  if (launch.global_offset != Launch().global_offset)
    text += fmt::format(", global offset {}", fmt::join(launch.global_offset, " x "));
  if (launch.lock_step != 0)
    text += fmt::format(", {} in lock step", launch.lock_step);
  text += '\n';
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const LaunchArgument& argument = test_case.arguments[i];
    const Type& type = test_case.types[i];
    if (argument.is_null) {
      text += fmt::format("  {}: null\n", argument.name);
      continue;
    }
    switch (argument.kind) {
    case LaunchArgument::Kind::Value:
      text += fmt::format("  {}: {} = {}\n", argument.name, type.name,
                          elements_text(type, argument.bytes));
      break;
    case LaunchArgument::Kind::Buffer:
    case LaunchArgument::Kind::Image:
      text +=
          fmt::format("  {}: {} x {}{} = {}\n", argument.name, argument.bytes.size() / type.size,
                      type == model::void_type() ? "byte" : type.name,
                      test_case.outputs[i] ? ", output" : "", elements_text(type, argument.bytes));
      break;
    case LaunchArgument::Kind::Local:
      text += fmt::format("  {}: {}, __local\n", argument.name,
                          model::plural(argument.local_size, "byte"));
      break;
    case LaunchArgument::Kind::Sampler:
      text += fmt::format("  {}: sampler\n", argument.name);
      break;
    }
  }
  return text;
}

std::string text_after(const BoundCase& before, const BoundCase& after) {
  std::string text;
  for (std::size_t i = 0; i < after.arguments.size(); ++i) {
    const LaunchArgument& argument = after.arguments[i];
    if (argument.has_memory())
      text += fmt::format("  {} afterwards{}\n", argument.name,
                          argument.bytes == before.arguments[i].bytes
                              ? ": unchanged"
                              : " = " + elements_text(after.types[i], argument.bytes));
  }
  return text;
}

} // namespace gputest::runtime
