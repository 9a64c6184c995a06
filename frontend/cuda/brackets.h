// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What brackets enclose in a source text, and what follows blanks. Everything is inline, because
// the compiler command for CUDA programs uses it, too.
#pragma once

#include "model/text/comments.h"

#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gputest::frontend::cuda {

// Returns the end of what the bracket at `at`, '(' or '<', opens, unless nothing closes it. A
// statement ends no sooner than the lambda that it is in.
inline std::optional<std::size_t> after_brackets(std::string_view text, std::size_t at) {
  const bool is_angle = text[at] == '<';
  int angles = 0, others = 0, braces = 0;
  while (at < text.size()) {
    if (const std::size_t after = model::after_comment_or_literal(text, at); after != at) {
      at = after;
      continue;
    }
    const char letter = text[at++];
    others += letter == '(' || letter == '[' || letter == '{'   ? 1
              : letter == ')' || letter == ']' || letter == '}' ? -1
                                                                : 0;
    braces += letter == '{' ? 1 : letter == '}' ? -1 : 0;
    if (is_angle && others == 0)
      angles += letter == '<' ? 1 : letter == '>' && text[at - 2] != '-' ? -1 : 0;
    if (others < 0 || (letter == ';' && braces == 0))
      break;
    if (others == 0 && angles == 0)
      return at;
  }
  return std::nullopt;
}

// Returns the first place from `at` on that is neither white space nor a comment.
inline std::size_t next_token(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    else if (text[at] == '/' && model::after_comment_or_literal(text, at) != at)
      at = model::after_comment_or_literal(text, at);
    else
      break;
  }
  return at;
}

} // namespace gputest::frontend::cuda
