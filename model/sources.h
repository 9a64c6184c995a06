// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a text was made from, and digests of their content, to find out whether they have
// changed.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

struct SourceFile {
  std::string file;   // its name in results: relative to a root, or absolute
  std::string digest; // digest_of() of its bytes
  bool operator==(const SourceFile&) const = default;
};

// Returns 16 hexadecimal digits: the 64 bits of FNV-1a. They detect an edit, not an attack.
std::string digest_of(std::string_view text);

// Returns the digests of `files` as they are now. `name` gives their names. Files that cannot be
// read are left out.
std::vector<SourceFile> source_files(const std::vector<std::string>& files,
                                     const std::function<std::string(const std::string&)>& name);

// Returns the name of the first file whose content has changed; nullopt: none has. Relative names
// are looked up in `roots`, and the first match wins. A missing file has not changed.
std::optional<std::string> first_changed(const std::vector<SourceFile>& files,
                                         std::span<const std::filesystem::path> roots);

} // namespace gputest::model
