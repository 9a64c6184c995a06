// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/library_errors.h"

#include "frontend/cuda/toolkit.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace gputest::cuda::compiler {
namespace {

constexpr std::string_view kError = "error: ";
constexpr std::size_t kMostShown = 8;

// How Clang says that it knows no such name, or no such file.
constexpr std::string_view kUnknown[]{"no member named '",
                                      "no type named '",
                                      "no template named '",
                                      "unknown type name '",
                                      "use of undeclared identifier '",
                                      "use of undeclared type '"};

// The name that is missing; empty: it is another error.
std::string missing_name(std::string_view message) {
  const std::size_t quote = message.find('\'');
  if (quote == std::string_view::npos)
    return {};
  const std::string name(message.substr(quote + 1, message.find('\'', quote + 1) - quote - 1));
  const bool is_of_cuda = name.starts_with("cu") || name.starts_with("CU") ||
                          name.starts_with("__nv") ||
                          message.find("in the global namespace") != std::string_view::npos;
  const bool is_unknown = std::ranges::any_of(
      kUnknown, [&](std::string_view words) { return message.starts_with(words); });
  return message.ends_with("' file not found") || (is_unknown && is_of_cuda) ? name : "";
}

} // namespace

bool have_library(const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [](const std::string& folder) {
    const std::filesystem::path in = folder;
    return std::ranges::any_of(frontend::cuda::kLibraries, [&](const char* library) {
      std::error_code error;
      return std::string_view(library).ends_with('/') &&
             std::filesystem::is_directory(in / library, error);
    });
  });
}

std::string with_missing_names(const std::string& messages) {
  std::istringstream lines(messages);
  std::string first;
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(kError);
    if (at == std::string::npos || line.find(':') >= at)
      continue;
    const bool is_fatal = line.substr(0, at).ends_with("fatal ");
    const std::string place = line.substr(0, at - (is_fatal ? 7 : 1));
    const std::string name =
        frontend::cuda::is_of_library(place) ? missing_name(line.substr(at + kError.size())) : "";
    if (name.empty() && first.empty())
      return messages;
    if (name.empty())
      continue;
    if (first.empty())
      first = place;
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  if (first.empty())
    return messages;
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i)
    all += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > kMostShown)
    all += " and " + std::to_string(names.size() - kMostShown) + " more";
  return first + " error: the library uses " + all +
         ", which this toolkit (CUDA 12.5) does not have; an older version of the library may do "
         "without. -v shows the compiler's own messages\n";
}

} // namespace gputest::cuda::compiler
