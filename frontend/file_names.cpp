// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/file_names.h"

#include "model/files.h"

namespace gputest::passes {

namespace fs = std::filesystem;

FileNames::FileNames(const std::string& source_root)
    : root_(source_root.empty() ? fs::path() : fs::absolute(source_root).lexically_normal()) {}

std::string FileNames::name(const std::string& file) const {
  if (root_.empty())
    return file;
  return model::name_below(fs::absolute(file), root_).value_or(file);
}

} // namespace gputest::passes
