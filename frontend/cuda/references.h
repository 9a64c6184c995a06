// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether a CUDA source has texture or surface references (`texture<float> t;`), which CUDA
// 12 has removed. Their names are declared only for such sources, because other programs use them
// for classes of their own.
#pragma once

#include "frontend/cuda/included_files.h"

#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

namespace references {

enum class Found { Nothing, Reference, Own };

// Looks for `word<`, but not `other::word<`. Own: the program has a class of that name.
inline Found find(std::string_view text, std::string_view word) {
  Found found = Found::Nothing;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    std::size_t end = at + word.size();
    if ((at > 0 && is_of_name(text[at - 1])) || (end < text.size() && is_of_name(text[end])))
      continue;
    const std::string_view earlier = text_before(text, at);
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

} // namespace references

// `folders`: the include folders, as included_files() uses them.
inline bool has_references(const std::string& source, const std::vector<std::string>& folders) {
  bool found = false, own = false;
  for (const IncludedFile& included : included_files(source, folders))
    for (const char* word : {"texture", "surface"}) {
      const references::Found here = references::find(included.text, word);
      own = own || here == references::Found::Own;
      found = found || here == references::Found::Reference;
    }
  return found && !own;
}

// Returns the compiler's arguments for such a source.
inline std::vector<std::string> arguments_for_references() {
  return {"-include", "gputest_cuda/texture_references.h"};
}

} // namespace gputest::frontend::cuda
