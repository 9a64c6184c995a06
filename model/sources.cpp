// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/sources.h"

#include "model/files.h"
#include "model/json.h"
#include "model/stable_hash.h"

#include <fmt/format.h>

namespace gputest::model {
namespace fs = std::filesystem;

std::string digest_of(std::string_view text) {
  return fmt::format("{:016x}", stable_hash<std::uint64_t>(text));
}

std::vector<SourceFile> source_files(const std::vector<std::string>& files,
                                     const std::function<std::string(const std::string&)>& name) {
  std::vector<SourceFile> result;
  for (const std::string& file : files)
    if (const auto text = read_text(file))
      result.push_back({name(file), digest_of(*text)});
  return result;
}

std::optional<std::string> first_changed(const std::vector<SourceFile>& files,
                                         std::span<const fs::path> roots) {
  const auto text_of = [&](const fs::path& file) -> std::optional<std::string> {
    std::error_code ignored;
    if (file.is_absolute())
      return fs::is_regular_file(file, ignored) ? read_text(file) : std::nullopt;
    for (const fs::path& root : roots)
      if (fs::is_regular_file(root / file, ignored))
        return read_text(root / file);
    return std::nullopt;
  };
  for (const SourceFile& source : files)
    if (const auto text = text_of(source.file); text && digest_of(*text) != source.digest)
      return source.file;
  return std::nullopt;
}

} // namespace gputest::model
