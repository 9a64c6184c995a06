// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc takes deduction guides of class templates for host and device, as no code is made of them.
// Before version 22, Clang takes those without attributes for functions of the host. The text
//   template <typename T> Vector(T, T) -> Vector<T>;
// is then read with kForBothSides in front of the guide's name.
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/brackets.h"
#include "frontend/cuda/special_registers.h"

#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

constexpr std::string_view kForBothSides = "__attribute__((host)) __attribute__((device)) ";

inline std::string_view name_at_place(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_of_name(text[end]))
    ++end;
  return text.substr(at, end - at);
}

// Whether text has `-> name<`, as each guide has. Most headers have none, and need not be read in
// full.
inline bool may_have_guides(std::string_view text) {
  for (std::size_t at = text.find("->"); at != std::string_view::npos; at = text.find("->", at + 2))
    if (const std::size_t name = next_token(text, at + 2); name < text.size()) {
      const std::size_t behind = next_token(text, name + name_at_place(text, name).size());
      if (behind > name && behind < text.size() && text[behind] == '<')
        return true;
    }
  return false;
}

// Returns where the names of the guides of a text are, in its order: `name(…) -> name<…>;`.
inline std::vector<std::size_t> deduction_guides_of(std::string_view text) {
  std::vector<std::size_t> found;
  if (!may_have_guides(text))
    return found;
  std::string_view before; // the last name, if nothing but space is behind it
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t after = after_comment_or_literal(text, at); after != at) {
      at = after;
      continue;
    }
    if (!is_of_name(text[at])) {
      if (!std::isspace(static_cast<unsigned char>(text[at])))
        before = {};
      ++at;
      continue;
    }
    const std::size_t begin = at;
    const std::string_view name = name_at_place(text, at);
    at += name.size();
    const bool is_function = before == "auto" || before == "return";
    const bool has_attribute =
        before == "__device__" || text_before(text, begin).ends_with("__attribute__((device))");
    before = name;
    const std::size_t open = next_token(text, at);
    if (is_function || has_attribute || open >= text.size() || text[open] != '(')
      continue;
    const std::optional<std::size_t> close = after_brackets(text, open);
    if (!close)
      continue;
    const std::size_t arrow = next_token(text, *close);
    if (!text.substr(arrow).starts_with("->"))
      continue;
    const std::size_t result = next_token(text, arrow + 2);
    if (name_at_place(text, result) != name)
      continue;
    const std::size_t angle = next_token(text, result + name.size());
    if (angle >= text.size() || text[angle] != '<')
      continue;
    const std::optional<std::size_t> end = after_brackets(text, angle);
    if (end && text.substr(next_token(text, *end)).starts_with(";"))
      found.push_back(begin);
  }
  return found;
}

} // namespace gputest::frontend::cuda
