// The files that a text was made of, and what they held then: whether they still do.
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
  std::string file;   // as everything made of it names it: relative to a root, or absolute
  std::string digest; // digest_of() its bytes
  bool operator==(const SourceFile&) const = default;
};

// 16 hexadecimal digits: the 64 bits of FNV-1a. They tell an edit, and no attack.
std::string digest_of(std::string_view text);

// Of `files` as they are now, called what `name` says; those that cannot be read are left out.
std::vector<SourceFile> source_files(const std::vector<std::string>& files,
                                     const std::function<std::string(const std::string&)>& name);

// The first that holds something else now: its name. Relative names are looked for in `roots`, the
// first match wins; what is not there has not changed.
std::optional<std::string> first_changed(const std::vector<SourceFile>& files,
                                         std::span<const std::filesystem::path> roots);

nlohmann::ordered_json to_json(const std::vector<SourceFile>& files);
// Of the key "sources", which may be absent: of what was made by hand. Throws FormatError.
std::vector<SourceFile> source_files_from_json(const nlohmann::ordered_json& json);

} // namespace gputest::model
