// The text of the files that sites name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct SourceTree {
  std::vector<std::filesystem::path> roots; // where relative names are looked for, first match wins

  // The lines of `file` without their line ends (LF or CR LF), bytes as they are. nullopt when no
  // root has such a file or it cannot be read.
  std::optional<std::vector<std::string>> lines_of(const std::string& file) const;
};

} // namespace gputest::report
