// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/source.h"

#include "model/files.h"

#include <fstream>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

std::optional<std::vector<std::string>> read_lines(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return std::nullopt;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r'))
      line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace

std::optional<fs::path> SourceTree::path_of(const std::string& file) const {
  std::error_code ignored;
  if (fs::path(file).is_absolute())
    return fs::is_regular_file(file, ignored) ? std::optional<fs::path>(file) : std::nullopt;
  for (const fs::path& root : roots)
    if (fs::is_regular_file(root / file, ignored) && std::ifstream(root / file))
      return fs::absolute(root / file).lexically_normal();
  return std::nullopt;
}

std::optional<std::vector<std::string>> SourceTree::lines_of(const std::string& file) const {
  const auto path = path_of(file);
  return path ? read_lines(*path) : std::nullopt;
}

std::string SourceTree::name_of(const std::string& file) const {
  if (!fs::path(file).is_absolute())
    return file;
  return model::name_below(file, fs::absolute(roots.front())).value_or(file);
}

std::string SourceTree::with_names(std::string text) const {
  const std::string prefix = (fs::absolute(roots.front()).lexically_normal() / "").string();
  if (prefix == "/")
    return text;
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
    if (at == 0 || std::string_view(" '\"(").find(text[at - 1]) != std::string_view::npos)
      text.erase(at, prefix.size());
    else
      ++at;
  return text;
}

} // namespace gputest::report
