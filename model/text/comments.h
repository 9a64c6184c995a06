// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comments and literals in source texts of C and C++.
#pragma once

#include "model/text/words.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace gputest::model {

// Returns the end of a comment or literal that begins at `at`; `at`: none does.
inline std::size_t after_comment_or_literal(std::string_view text, std::size_t at) {
  constexpr auto kNone = std::string_view::npos;
  switch (text[at]) { // most characters begin nothing
  case '/':
  case 'R':
  case '"':
  case '\'':
    break;
  default:
    return at;
  }
  const std::string_view rest = text.substr(at);
  const auto end_with = [&](std::size_t found, std::size_t length) {
    return found == kNone ? text.size() : found + length;
  };
  if (rest.starts_with("//"))
    return end_with(text.find('\n', at), 0);
  if (rest.starts_with("/*"))
    return end_with(text.find("*/", at + 2), 2);
  if (rest.starts_with("R\"") && (at == 0 || !is_of_word(text[at - 1]))) {
    const std::size_t open = text.find('(', at);
    if (open == kNone)
      return text.size();
    const std::string end = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
    return end_with(text.find(end, open), end.size());
  }
  const bool separates_digits = at > 0 && is_of_word(text[at - 1]); // 1'000'000
  if (text[at] != '"' && (text[at] != '\'' || separates_digits))
    return at;
  std::size_t end = at + 1;
  for (; end < text.size() && text[end] != text[at]; ++end)
    if (text[end] == '\\')
      ++end;
  return std::min(end + 1, text.size());
}

// Returns the text with a space in place of each comment and literal.
inline std::string code_of(std::string_view text) {
  std::string code;
  code.reserve(text.size());
  for (std::size_t at = 0; at < text.size();)
    if (const std::size_t after = after_comment_or_literal(text, at); after != at) {
      code += ' ';
      at = after;
    } else {
      code += text[at++];
    }
  return code;
}

} // namespace gputest::model
