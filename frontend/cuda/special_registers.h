// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc takes a special register with one '%' in an asm statement with operands:
// asm("mov.u64 %0, %globaltimer;" : "=l"(t)). Clang takes '%' and a letter for an operand with a
// modifier. Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/included_files.h"
#include "model/text/comments.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::frontend::cuda {

// Stands for the '%' of such a register in what Clang reads. No PTX has this character, and places
// in the text stay what they are.
constexpr char kRegisterMark = '`';

using model::after_comment_or_literal;

// Is the '%' before these two characters that of a register, and not of an operand with a modifier?
inline bool is_register(char next, char after) {
  return std::isalpha(static_cast<unsigned char>(next)) &&
         !std::isdigit(static_cast<unsigned char>(after)) && after != '['; // %c0
}

// Can text have registers at all? Most headers have none, and need not be read in full.
inline bool may_have_registers(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (at + 2 < text.size() && is_register(text[at + 1], text[at + 2]))
      return true;
  return false;
}

// Marks the registers in text[begin, end), a literal of an asm statement with operands.
inline void mark_registers(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at + 2 < end; ++at) {
    if (text[at] != '%')
      continue;
    const char next = text[at + 1], after = text[at + 2];
    if (next == '%')
      ++at;
    else if (is_register(next, after))
      text[at] = kRegisterMark;
  }
}

// Places in a text: begin and end of each, with quotes.
using Literals = std::vector<std::pair<std::size_t, std::size_t>>;

// Calls `act` for each asm statement with operands: with the literals of its template, and with
// those that are behind it, which are constraints and names of what the statement changes.
template <typename Act> void each_asm(std::string_view text, Act act) {
  if (text.find("asm") == std::string_view::npos)
    return;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t after = after_comment_or_literal(text, at); after != at) {
      at = after;
      continue;
    }
    if (!is_of_name(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_of_name(text[at]))
      ++at;
    const std::string_view name = text.substr(begin, at - begin);
    if (name != "asm" && name != "__asm__" && name != "__asm")
      continue;
    Literals of_template, others;
    bool has_operands = false;
    int depth = 0;
    for (std::size_t end = at; end < text.size();) {
      if (const std::size_t after = after_comment_or_literal(text, end); after != end) {
        if (depth == 1 && text[end] != '/')
          (has_operands ? others : of_template).emplace_back(end, after);
        end = after;
        continue;
      }
      const char letter = text[end++];
      depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
      has_operands |= depth == 1 && letter == ':';
      if ((letter == ')' && depth <= 0) || letter == ';')
        break;
    }
    if (has_operands)
      act(of_template, others);
  }
}

// Calls `act` with the begin and end of each literal of a template with operands.
template <typename Act> void each_asm_literal(std::string_view text, Act act) {
  each_asm(text, [&](const Literals& of_template, const Literals&) {
    for (const auto& [begin, end] : of_template)
      act(begin, end);
  });
}

// Returns the text with marks in the place of these '%', and the other way round.
inline std::string with_marked_registers(std::string text) {
  if (!may_have_registers(text))
    return text;
  each_asm_literal(std::string(text),
                   [&](std::size_t begin, std::size_t end) { mark_registers(text, begin, end); });
  return text;
}
inline std::string without_marked_registers(std::string text) {
  if (text.find(kRegisterMark) == std::string::npos)
    return text;
  each_asm_literal(std::string(text), [&](std::size_t begin, std::size_t end) {
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin),
                 text.begin() + static_cast<std::ptrdiff_t>(end), kRegisterMark, '%');
  });
  return text;
}

} // namespace gputest::frontend::cuda
