// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/generate.h"

#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

// As an argument of a CMake function.
std::string quoted(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-*";
  if (text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || letter == '$')
      result += '\\';
    result += letter;
  }
  return result + '"';
}

// Whether the user has given a default size for cases that have none.
bool has_given_size(const Settings& settings, const std::string& argument) {
  return std::ranges::any_of(settings.arguments, [&](const std::string& text) {
    return text.starts_with(argument + ":") && text.find("size=") != std::string::npos;
  });
}

std::string sizes_text(const std::array<std::uint64_t, 3>& sizes, unsigned dimensions) {
  return fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + dimensions, " "));
}

} // namespace

std::string cmake_text(const Target& target, const Settings& settings, const Generated& generated,
                       const CMakeCall& call) {
  const auto relative = [&](const fs::path& path) {
    return model::name_below(fs::absolute(path), call.base).value_or(path.string());
  };
  const Features features(target);
  const Shape& shape = generated.shape;
  std::string text = fmt::format(
      "gputest_add_kernel({}\n  SOURCE {} KERNEL {}\n  GLOBAL_SIZE {} LOCAL_SIZE {}\n", call.name,
      quoted(relative(target.file)), quoted(target.kernel()),
      sizes_text(shape.global, shape.dimensions), sizes_text(shape.local, shape.dimensions));
  std::string arguments;
  for (const std::string& given : settings.arguments)
    arguments += fmt::format(" \"{}\"", given);
  for (std::size_t i = 0; i < generated.inferred.sizes.size(); ++i)
    if (const auto& size = generated.inferred.sizes[i];
        size && !target.arguments[i].shared && // a case says how much it has
        !has_given_size(settings, target.arguments[i].name))
      arguments += fmt::format(" \"{}:size={}\"", target.arguments[i].name, size->text(features));
  if (!arguments.empty())
    text += "  ARGUMENTS" + arguments + "\n";
  for (const std::string& requirement : settings.requirements)
    text += fmt::format("  REQUIRE \"{}\"\n", requirement);
  return text + call.more +
         fmt::format("  TEST_CASES {}\n  GENERATE INTO {})\n",
                     quoted(relative(settings.output / "*.json")),
                     quoted(relative(settings.output)));
}

} // namespace gputest::testgen
