// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a source and the files that it includes as text. Everything is inline, without a compiler,
// because the compiler command for CUDA programs does not link LLVM.
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace gputest::frontend::cuda {

inline bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// Returns the text before `at` without trailing white space.
inline std::string_view text_before(std::string_view text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])))
    --at;
  return text.substr(0, at);
}

// Returns the names in `#include "…"` and `#include <…>`.
inline std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  constexpr std::string_view kInclude = "include";
  for (std::size_t at = text.find(kInclude); at != std::string_view::npos;
       at = text.find(kInclude, at + kInclude.size())) {
    const std::size_t open = text.find_first_not_of(" \t", at + kInclude.size());
    if (!text_before(text, at).ends_with("#") || open == std::string_view::npos ||
        (text[open] != '"' && text[open] != '<'))
      continue;
    const std::size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    if (close != std::string_view::npos)
      names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

struct IncludedFile {
  std::filesystem::path file;
  std::string text;
};

// Returns the source and each file that it includes, at any depth. An included file is looked for
// in the folder of the file that includes it, then in `folders` in order; a file that is not found
// is skipped. Conditions (#if) are ignored.
inline std::vector<IncludedFile> included_files(const std::filesystem::path& source,
                                                const std::vector<std::string>& folders) {
  std::vector<IncludedFile> all;
  namespace fs = std::filesystem;
  std::set<fs::path> seen;
  std::vector<fs::path> files{fs::absolute(source).lexically_normal()};
  while (!files.empty()) {
    const fs::path file = std::move(files.back());
    files.pop_back();
    if (!seen.insert(file).second)
      continue;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content; // whole blocks: a library has thousands of headers
    content << stream.rdbuf();
    all.push_back({file, std::move(content).str()});
    for (const std::string& name : included_names(all.back().text)) {
      std::vector<fs::path> places{file.parent_path() / name};
      for (const std::string& folder : folders)
        places.push_back(fs::path(folder) / name);
      for (const fs::path& place : places)
        if (std::error_code error; fs::is_regular_file(place, error)) {
          files.push_back(fs::absolute(place).lexically_normal());
          break;
        }
    }
  }
  return all;
}

} // namespace gputest::frontend::cuda
