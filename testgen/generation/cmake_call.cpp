// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/generate.h"

#include "model/files.h"
#include "model/names.h"

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

// Whether the user has given a default size for cases that have none. Values and files have their
// own: another one would add elements.
bool has_given_size(const Settings& settings, const std::string& argument) {
  const auto gives_size = [](const std::string& part) {
    return part.starts_with("size=") || part.starts_with("values=") || part.starts_with("file=");
  };
  return std::ranges::any_of(settings.arguments, [&](const std::string& text) {
    return text.starts_with(argument + ":") &&
           std::ranges::any_of(model::split_outside_brackets(text.substr(argument.size() + 1)),
                               gives_size);
  });
}

std::string sizes_text(const std::array<std::uint64_t, 3>& sizes, unsigned dimensions) {
  return fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + dimensions, " "));
}

} // namespace

std::string cmake_keyword(std::string_view keyword, const std::vector<std::string>& values) {
  if (values.empty())
    return "";
  std::string line = fmt::format("  {}", keyword);
  for (const std::string& value : values)
    line += " " + quoted(value);
  return line + "\n";
}

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
  std::vector<std::string> arguments = settings.arguments;
  for (std::size_t i = 0; i < generated.inferred.sizes.size(); ++i) {
    const auto& size = generated.inferred.sizes[i];
    const std::string& name = target.arguments[i].name;
    if (!size || target.arguments[i].shared || has_given_size(settings, name))
      continue; // a case says how much shared memory it has
    const std::string told = fmt::format("size={}", size->text(features));
    const auto given = std::ranges::find_if(
        arguments, [&](const std::string& text) { return text.starts_with(name + ":"); });
    if (given != arguments.end()) // an argument is given once
      *given += "," + told;
    else if (std::ranges::none_of(
                 arguments, [&](const std::string& text) { return text.starts_with(name + "="); }))
      arguments.push_back(fmt::format("{}:{}", name, told));
  }
  return text + cmake_keyword("ARGUMENTS", arguments) +
         cmake_keyword("REQUIRE", settings.requirements) + call.more +
         fmt::format("  TEST_CASES {}\n  GENERATE INTO {})\n",
                     quoted(relative(settings.output / "*.json")),
                     quoted(relative(settings.output)));
}

} // namespace gputest::testgen
