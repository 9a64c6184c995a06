// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of source texts.
#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace gputest::model {

inline bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Returns whether the text has the word by itself: "n" is in "n + 1", and not in "run".
inline bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_of_word(text[at - 1])) &&
        (at + word.size() >= text.size() || !is_of_word(text[at + word.size()])))
      return true;
  return false;
}

} // namespace gputest::model
