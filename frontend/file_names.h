// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files in messages, #line directives and reports.
#pragma once

#include <filesystem>
#include <string>

namespace gputest::frontend {

// Names a file relative to the source root if it is below the root, else as it was given.
class FileNames {
public:
  explicit FileNames(const std::string& source_root);

  std::string name(const std::string& file) const;

private:
  std::filesystem::path root_; // empty: none
};

} // namespace gputest::frontend
