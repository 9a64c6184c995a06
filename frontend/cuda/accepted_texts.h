// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc reads and Clang does not:
//
//     kernel << <grid, block >> > (x);   kernel<<< grid, block >>> (x);
//     #pragma unroll                     //ragma unroll
//     sum += x;                          sum += x;
//
// The first is how an editor formats launches. nvcc ignores a pragma that no loop follows. Clang
// reads what is on the right: places stay what they are, and the text can be had as it was written.
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/brackets.h"
#include "frontend/cuda/special_registers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gputest::frontend::cuda {

// Blanks that were in a launch's brackets: of space, and of tabs. Clang skips both.
constexpr char kJoinedSpace = '\v', kJoinedTab = '\f';

// Returns the end of `<<<` or `<< <` at `at`, of such angles in general; `at`: nothing such is
// there.
inline std::size_t after_launch_angles(std::string_view text, std::size_t at, char angle) {
  if (text.substr(at, 2) != std::string(2, angle))
    return at;
  std::size_t end = at + 2;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t'))
    ++end;
  return end < text.size() && text[end] == angle ? end + 1 : at;
}

// Calls `act` with the begin and end of the brackets of each launch.
template <typename Act> void each_launch_bracket(std::string_view text, Act act) {
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t after = after_comment_or_literal(text, at); after != at) {
      at = after;
      continue;
    }
    const std::size_t open_end = text[at] == '<' ? after_launch_angles(text, at, '<') : at;
    if (open_end == at) {
      ++at;
      continue;
    }
    int depth = 0;
    std::size_t close = open_end, close_end = open_end;
    for (; close < text.size() && depth >= 0; ++close) {
      if (const std::size_t after = after_comment_or_literal(text, close); after != close) {
        close = after - 1;
        continue;
      }
      const char letter = text[close];
      depth += letter == '(' || letter == '[' || letter == '{'   ? 1
               : letter == ')' || letter == ']' || letter == '}' ? -1
                                                                 : 0;
      if (letter == ';' && depth == 0)
        break;
      if (letter == '>' && depth == 0)
        close_end = after_launch_angles(text, close, '>');
      if (close_end > close && text.substr(next_token(text, close_end), 1) == "(")
        break;
      close_end = open_end;
    }
    if (close_end > open_end) {
      act(at, open_end);
      act(close, close_end);
    }
    at = std::max(open_end, close_end);
  }
}

inline bool has_apart(std::string_view text, char angle) {
  const std::string two(2, angle);
  for (std::size_t at = text.find(two); at != std::string_view::npos; at = text.find(two, at + 2))
    if (after_launch_angles(text, at, angle) > at + 3)
      return true;
  return false;
}

inline std::string with_joined_launches(std::string text) {
  if (!has_apart(text, '<') && (text.find("<<<") == std::string::npos || !has_apart(text, '>')))
    return text;
  each_launch_bracket(std::string(text), [&](std::size_t begin, std::size_t end) {
    const char angle = text[begin];
    text[end - 1] = text[begin + 2];
    text[begin + 2] = angle;
    for (std::size_t at = begin + 3; at < end; ++at)
      text[at] = text[at] == '\t' ? kJoinedTab : kJoinedSpace;
  });
  return text;
}

inline std::string without_joined_launches(std::string text) {
  const auto is_joined = [](char letter) { return letter == kJoinedSpace || letter == kJoinedTab; };
  for (const char* const angles : {"<<<", ">>>"})
    for (std::size_t at = text.find(angles); at != std::string::npos;
         at = text.find(angles, at + 3)) {
      std::size_t end = at + 3;
      for (; end < text.size() && is_joined(text[end]); ++end)
        text[end - 1] = text[end] == kJoinedTab ? '\t' : ' ';
      text[end - 1] = angles[0];
    }
  return text;
}

// The first characters of a pragma, and what hides them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kHiddenPragmas{
    {{"#pragma", "//ragma"}, {"# pragma", "//\vragma"}}};

// Returns the end of `#pragma unroll` or `#pragma nounroll` at `at`; `at`: none is there.
inline std::size_t after_unroll(std::string_view text, std::size_t at, std::string_view pragma) {
  if (text.substr(at, pragma.size()) != pragma)
    return at;
  std::size_t word = at + pragma.size();
  while (word < text.size() && (text[word] == ' ' || text[word] == '\t'))
    ++word;
  for (const std::string_view name : {"unroll", "nounroll"})
    if (word > at + pragma.size() && text.substr(word, name.size()) == name &&
        (word + name.size() == text.size() || !is_of_name(text[word + name.size()])))
      return word + name.size();
  return at;
}

// Returns the end of the line of a directive, which a backslash continues.
inline std::size_t end_of_directive_at(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n')
    at += text.substr(at).starts_with("\\\r\n") ? 3 : text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

// Whether Clang takes the pragma that ends at `at`: a loop follows, or a directive that may decide.
inline bool is_before_loop(std::string_view text, std::size_t at) {
  if (const std::size_t value = text.find_first_not_of(" \t(", at);
      value != std::string_view::npos && text[value] == '-')
    return false;
  std::size_t next = next_token(text, end_of_directive_at(text, at));
  while (text.substr(next).starts_with("#line"))
    next = next_token(text, end_of_directive_at(text, next));
  if (next == text.size())
    return false;
  if (text[next] == '#')
    return std::ranges::none_of(kHiddenPragmas, [&](const auto& hidden) {
      return after_unroll(text, next, hidden.first) != next;
    });
  std::size_t end = next;
  while (end < text.size() && is_of_name(text[end]))
    ++end;
  const std::string_view word = text.substr(next, end - next);
  return word == "for" || word == "while" || word == "do";
}

inline std::string with_hidden_unrolls(std::string text) {
  if (text.find("unroll") == std::string::npos)
    return text;
  for (const auto& [pragma, hidden] : kHiddenPragmas)
    for (std::size_t at = text.find(pragma); at != std::string::npos;
         at = text.find(pragma, at + 1))
      if (const std::size_t end = after_unroll(text, at, pragma);
          end != at && !is_before_loop(text, end))
        text.replace(at, pragma.size(), hidden);
  return text;
}

inline std::string without_hidden_unrolls(std::string text) {
  for (const auto& [pragma, hidden] : kHiddenPragmas)
    for (std::size_t at = text.find(hidden); at != std::string::npos;
         at = text.find(hidden, at + 1))
      if (after_unroll(text, at, hidden) != at)
        text.replace(at, hidden.size(), pragma);
  return text;
}

// Returns what Clang reads in the place of a text, and the other way round.
inline std::string with_marks(std::string text) {
  return with_marked_registers(with_hidden_unrolls(with_joined_launches(std::move(text))));
}
inline std::string without_marks(std::string text) {
  return without_marked_registers(without_hidden_unrolls(without_joined_launches(std::move(text))));
}

} // namespace gputest::frontend::cuda
