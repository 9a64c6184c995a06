// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the files that sites name, and reads their text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct SourceTree {
  // Relative names are looked up here; the first match wins.
  std::vector<std::filesystem::path> roots;

  // Returns the lines of `file` without their line ends (LF or CR LF), with bytes as they are.
  // nullopt: no root has such a file, or it cannot be read.
  std::optional<std::vector<std::string>> lines_of(const std::string& file) const;

  // Returns the absolute path at which lines_of() finds the file.
  std::optional<std::filesystem::path> path_of(const std::string& file) const;

  // Returns the file's name relative to the first root if it is below it, else as given.
  std::string name_of(const std::string& file) const;

  // Returns the text, in which places in messages name such files as name_of() does.
  std::string with_names(std::string text) const;
};

} // namespace gputest::report
