// Whether a CUDA source has texture or surface references, which CUDA 12 has no more: only then
// are their names declared, because other programs use them for themselves. Only text, and inline:
// the compiler of CUDA programs has no LLVM.
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::cuda {

namespace references {

inline bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

// What stands before `at`, without spaces.
inline std::string_view before(std::string_view text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])))
    --at;
  return text.substr(0, at);
}

enum class Found { Nothing, Reference, Own };

// `word<`, and not `other::word<`; Own: the program has a class of that name.
inline Found find(std::string_view text, std::string_view word) {
  Found found = Found::Nothing;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    std::size_t end = at + word.size();
    if ((at > 0 && is_of_name(text[at - 1])) || (end < text.size() && is_of_name(text[end])))
      continue;
    const std::string_view earlier = before(text, at);
    if (earlier.ends_with("class") || earlier.ends_with("struct"))
      return Found::Own;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])))
      ++end;
    if (end < text.size() && text[end] == '<' && !earlier.ends_with("::") &&
        !earlier.ends_with(".") && !earlier.ends_with("->"))
      found = Found::Reference;
  }
  return found;
}

// What the lines #include name, in quotes or not.
inline std::vector<std::string> included(std::string_view text) {
  std::vector<std::string> names;
  constexpr std::string_view kInclude = "include";
  for (std::size_t at = text.find(kInclude); at != std::string_view::npos;
       at = text.find(kInclude, at + kInclude.size())) {
    const std::size_t open = text.find_first_not_of(" \t", at + kInclude.size());
    if (!before(text, at).ends_with("#") || open == std::string_view::npos ||
        (text[open] != '"' && text[open] != '<'))
      continue;
    const std::size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    if (close != std::string_view::npos)
      names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

} // namespace references

// `folders`: where it looks for what it includes, besides the folder of who includes it.
inline bool has_references(const std::string& source, const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  bool found = false;
  std::set<std::string> seen;
  std::vector<fs::path> files{source};
  while (!files.empty()) {
    const fs::path file = files.back();
    files.pop_back();
    std::error_code error;
    if (!seen.insert(file.lexically_normal().string()).second || !fs::is_regular_file(file, error))
      continue;
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (const char* word : {"texture", "surface"}) {
      const references::Found here = references::find(text, word);
      if (here == references::Found::Own)
        return false;
      found = found || here == references::Found::Reference;
    }
    for (const std::string& name : references::included(text)) {
      files.push_back(file.parent_path() / name);
      for (const std::string& folder : folders)
        files.push_back(fs::path(folder) / name);
    }
  }
  return found;
}

// What is given to the compiler of such a source.
inline std::vector<std::string> arguments_for_references() {
  return {"-include", "gputest_cuda/texture_references.h"};
}

} // namespace gputest::cuda
