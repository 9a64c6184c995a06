// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/source_keywords.h"

#include "model/name_below.h"

#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace gputest::driver {

namespace fs = std::filesystem;

namespace {

// A keyword may be given once, with all its values.
std::string keyword_with(std::string_view keyword, const std::vector<std::string>& values) {
  if (values.empty())
    return "";
  std::string line = fmt::format("  {}", keyword);
  for (const std::string& value : values)
    line += fmt::format(" \"{}\"", value);
  return line + "\n";
}

} // namespace

std::string source_keywords(const frontend::SourceOptions& source,
                            const cxxopts::ParseResult& arguments, const fs::path& base) {
  std::vector<std::string> directories;
  const fs::path own = fs::absolute(source.file).lexically_normal().parent_path();
  for (const std::string& given : source.include_directories)
    if (const fs::path directory = fs::absolute(given).lexically_normal(); directory != own)
      directories.push_back(model::name_below(directory, base).value_or(directory.string()));
  std::string text = keyword_with("DEFINITIONS", source.definitions) +
                     keyword_with("INCLUDE_DIRECTORIES", directories);
  if (arguments.count("cl-std"))
    text += source.cl_std.starts_with("c++")
                ? fmt::format("  CXX_STANDARD {}\n", source.cl_std.substr(3))
                : fmt::format("  CL_STD {}\n", source.cl_std);
  return text;
}

} // namespace gputest::driver
