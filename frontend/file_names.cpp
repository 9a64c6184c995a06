// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/file_names.h"

#include "model/files.h"

namespace gputest::frontend {

namespace fs = std::filesystem;

FileNames::FileNames(const std::string& source_root)
    : root_(source_root.empty() ? fs::path() : fs::absolute(source_root).lexically_normal()) {}

std::string FileNames::name(const std::string& file) const {
  std::error_code ignored;
  if (root_.empty() || (fs::path(file).is_relative() && !fs::exists(file, ignored)))
    return file; // a #line directive may name what is in no folder
  return model::name_below(fs::absolute(file), root_).value_or(file);
}

} // namespace gputest::frontend
