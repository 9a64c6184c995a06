// The names of files below a folder. Nothing needs to be linked for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gputest::model {

// The file's name relative to `folder`; nullopt if it is not below it. Names alone are compared, so
// both are absolute, or relative to the same folder; links are not followed.
inline std::optional<std::string> name_below(const std::filesystem::path& file,
                                             const std::filesystem::path& folder) {
  const std::filesystem::path name =
      file.lexically_normal().lexically_relative(folder.lexically_normal());
  if (name.empty() || *name.begin() == "..")
    return std::nullopt;
  return name.string();
}

} // namespace gputest::model
