// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of files below a folder. Users of this header need to link nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gputest::model {

// Returns the file's name relative to `folder`; nullopt: it is not below it. Compares names alone
// and follows no links, so both must be absolute, or relative to the same folder.
inline std::optional<std::string> name_below(const std::filesystem::path& file,
                                             const std::filesystem::path& folder) {
  const std::filesystem::path name =
      file.lexically_normal().lexically_relative(folder.lexically_normal());
  if (name.empty() || *name.begin() == "..")
    return std::nullopt;
  return name.string();
}

} // namespace gputest::model
