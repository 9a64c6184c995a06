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
#include <cctype>
#include <cstddef>
#include <optional>
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

// Returns the first place from `at` on that is no white space, comment, or end of a continued line.
inline std::size_t next_token_of_macro(std::string_view text, std::size_t at) {
  at = next_token(text, at);
  while (text.substr(at).starts_with("\\\n") || text.substr(at).starts_with("\\\r\n"))
    at = next_token(text, at + 1);
  return at;
}

// Whether the angles at `at` are those of operator<< <T>(…).
inline bool is_of_operator(std::string_view text, std::size_t at) {
  constexpr std::string_view kWord = "operator";
  const std::string_view before = text_before(text, at);
  return before.ends_with(kWord) &&
         (before.size() == kWord.size() || !is_of_name(before[before.size() - kWord.size() - 1]));
}

// Calls `act` with the begin and end of the brackets of each launch.
template <typename Act> void each_launch_bracket(std::string_view text, Act act) {
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t after = after_comment_or_literal(text, at); after != at) {
      at = after;
      continue;
    }
    const std::size_t open_end = text[at] == '<' ? after_launch_angles(text, at, '<') : at;
    if (open_end == at || is_of_operator(text, at)) {
      at = std::max(at + 1, open_end);
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
      if (close_end > close && text.substr(next_token_of_macro(text, close_end), 1) == "(")
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

// Calls `act` with the first place of each line that is no blank, and not within a comment or
// literal. Behind a comment that ends in a line, its begin is another one.
template <typename Act> void each_line_begin(std::string_view text, Act act) {
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '\n')
      begins_line = at == 0 || text[at - 1] != '\\';
    if (begins_line && !std::isspace(static_cast<unsigned char>(letter))) {
      act(at);
      begins_line = letter == '/';
    }
    std::size_t after = after_comment_or_literal(text, at);
    if (letter == '\'' && after != at) // of no code, such as #error don't
      after = std::min(after, text.find('\n', at));
    at = std::max(at + 1, after);
  }
}

inline std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

// Returns the end of `unroll` or `nounroll` behind what begins a pragma; nullopt: another name, or
// none, is there.
inline std::optional<std::size_t> after_unroll_name(std::string_view text, std::size_t at) {
  const std::size_t word = after_blanks(text, at);
  for (const std::string_view name : {"unroll", "nounroll"})
    if (word > at && text.substr(word, name.size()) == name &&
        (word + name.size() == text.size() || !is_of_name(text[word + name.size()])))
      return word + name.size();
  return std::nullopt;
}

// Returns the end of `#pragma unroll` or `#pragma nounroll` at `at`; nullopt: none is there.
inline std::optional<std::size_t> after_unroll(std::string_view text, std::size_t at) {
  constexpr std::string_view kPragma = "pragma";
  if (text.substr(at, 1) != "#")
    return std::nullopt;
  const std::size_t word = after_blanks(text, at + 1);
  if (text.substr(word, kPragma.size()) != kPragma)
    return std::nullopt;
  return after_unroll_name(text, word + kPragma.size());
}

// Returns the end of the line of a directive, which a backslash continues.
inline std::size_t end_of_directive_at(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n')
    at += text.substr(at).starts_with("\\\r\n") ? 3 : text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

// Whether a comment begins behind a pragma's name, and ends in another line.
inline bool has_comment_of_lines(std::string_view text, std::size_t at) {
  const std::size_t end = end_of_directive_at(text, at);
  const std::size_t comment = std::min(text.find("/*", at), text.find("//", at));
  return comment < end && text[comment + 1] == '*' && after_comment_or_literal(text, comment) > end;
}

// Whether Clang may take the pragma that ends at `at`: a loop follows, or a directive that may
// decide. Before a macro, a label or [[...]], pragmas are hidden even if Clang would take them.
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
    return !after_unroll(text, next);
  std::size_t end = next;
  while (end < text.size() && is_of_name(text[end]))
    ++end;
  const std::string_view word = text.substr(next, end - next);
  return word == "for" || word == "while" || word == "do";
}

// The first blank of `#  pragma` is kept in the place of the 'p': //<blank><mark>ragma.
inline std::string with_hidden_unrolls(std::string text) {
  if (text.find("unroll") == std::string::npos)
    return text;
  each_line_begin(std::string(text), [&](std::size_t at) {
    const std::optional<std::size_t> end = after_unroll(text, at);
    if (!end || is_before_loop(text, *end) || has_comment_of_lines(text, *end))
      return;
    if (text[at + 1] != 'p')
      text[after_blanks(text, at + 1)] = text[at + 1] == '\t' ? kJoinedTab : kJoinedSpace;
    text[at] = text[at + 1] = '/';
  });
  return text;
}

inline std::string without_hidden_unrolls(std::string text) {
  constexpr std::string_view kRest = "ragma";
  if (text.find("unroll") == std::string::npos)
    return text;
  each_line_begin(std::string(text), [&](std::size_t at) {
    if (text.compare(at, 2, "//") != 0)
      return;
    std::size_t rest = after_blanks(text, at + 2);
    const char mark = rest < text.size() ? text[rest] : ' ';
    const bool is_marked = mark == kJoinedTab || mark == kJoinedSpace;
    rest = is_marked ? rest + 1 : at + 2;
    if (text.compare(rest, kRest.size(), kRest) != 0 ||
        !after_unroll_name(text, rest + kRest.size()))
      return;
    text[at] = '#';
    text[rest - 1] = 'p';
    if (is_marked)
      text[at + 1] = mark == kJoinedTab ? '\t' : ' ';
  });
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
