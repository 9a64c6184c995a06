// The text of the files that sites name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct SourceTree {
  // Relative names are looked up here; the first match wins.
  std::vector<std::filesystem::path> roots;

  // The lines of `file` without their line ends (LF or CR LF), with bytes as they are. nullopt if
  // no root has such a file or it cannot be read.
  std::optional<std::vector<std::string>> lines_of(const std::string& file) const;

  // Where lines_of() finds it, as an absolute path.
  std::optional<std::filesystem::path> path_of(const std::string& file) const;

  // The file relative to the first root if it is below it, else as it is named.
  std::string name_of(const std::string& file) const;

  // The text with such files named so, as places in messages are.
  std::string with_names(std::string text) const;
};

} // namespace gputest::report
