// Golden files: each <folder>/<case>.cl has what is expected of it beside it. Run with
// GPUTEST_UPDATE_GOLDEN=1 to write those files anew, then read the difference.
#pragma once

#include "frontend/parse.h"
#include "frontend/source_options.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace gputest::tests {

inline std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline void compare_with_golden(std::filesystem::path golden, const std::string& actual) {
  golden.replace_extension(".expected");
  if (std::getenv("GPUTEST_UPDATE_GOLDEN"))
    std::ofstream(golden, std::ios::binary) << actual;
  INFO("golden file: " << golden.string());
  CHECK(actual == read(golden));
}

inline std::vector<std::filesystem::path> cases(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GPUTEST_TEST_DATA) / folder))
    if (entry.path().extension() == ".cl")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// The OpenCL C 1.0 or 1.1 that `text`, of the `number`th file, is also written in; empty: in none.
inline std::string old_language_of(const frontend::FlatSource& text, std::size_t number) {
  frontend::SourceOptions options;
  options.cl_std = number % 2 ? "CL1.0" : "CL1.1";
  llvm::Error error =
      frontend::parse(text, options, [](const frontend::Tree&) { return llvm::Error::success(); });
  return llvm::toString(std::move(error)).empty() ? options.cl_std : "";
}

inline frontend::SourceOptions options_for(const std::filesystem::path& file) {
  frontend::SourceOptions options;
  options.file = file.string();
  options.source_root = file.parent_path().string();
  return options;
}

} // namespace gputest::tests
