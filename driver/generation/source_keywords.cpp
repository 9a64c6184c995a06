// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/source_keywords.h"

#include "model/launches/lock_step.h"
#include "model/name_below.h"
#include "testgen/generation/generate.h"

#include <fmt/format.h>
#include <vector>

namespace gputest::driver {

namespace fs = std::filesystem;

std::string source_keywords(const frontend::SourceOptions& source,
                            const cxxopts::ParseResult& arguments, const fs::path& base) {
  std::vector<std::string> directories;
  const fs::path own = fs::absolute(source.file).lexically_normal().parent_path();
  for (const std::string& given : source.include_directories)
    if (const fs::path directory = fs::absolute(given).lexically_normal(); directory != own)
      directories.push_back(model::name_below(directory, base).value_or(directory.string()));
  std::vector<std::string> definitions = source.definitions;
  const std::uint64_t lock_step = model::lock_step_number(definitions);
  if (lock_step != 0) // a keyword of its own
    std::erase(definitions, model::lock_step_definition(lock_step));
  std::string text = testgen::cmake_keyword("DEFINITIONS", definitions) +
                     testgen::cmake_keyword("INCLUDE_DIRECTORIES", directories);
  if (lock_step != 0)
    text += fmt::format("  LOCK_STEP {}\n", lock_step);
  if (arguments.count("cl-std"))
    text += source.cl_std.starts_with("c++")
                ? fmt::format("  CXX_STANDARD {}\n", source.cl_std.substr(3))
                : fmt::format("  CL_STD {}\n", source.cl_std);
  return text;
}

} // namespace gputest::driver
