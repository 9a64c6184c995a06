#include "frontend/file_names.h"

namespace gputest::passes {

namespace fs = std::filesystem;

FileNames::FileNames(const std::string& source_root)
    : root_(source_root.empty() ? fs::path() : fs::absolute(source_root).lexically_normal()) {}

std::string FileNames::name(const std::string& file) const {
  if (root_.empty())
    return file;
  const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(root_);
  if (relative.empty() || *relative.begin() == "..")
    return file;
  return relative.string();
}

} // namespace gputest::passes
