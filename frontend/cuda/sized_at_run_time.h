// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC takes values for arrays of the host whose size is no constant, and so does nvcc. Clang
// refuses them. The text
//   int count[n] = {1, 2}, *last[n] = {};
// is then read as
//   int count[n]; ::gputest_fill(&count[0], sizeof(count), {1, 2}); int *last[n];
//   ::gputest_fill(&last[0], sizeof(last));
// Rows in braces are given one by one: int rows[n][3] = {{1}, {2}} as
//   ... ::gputest_fill(&rows[0][0], sizeof(rows));
//   ::gputest_fill(&rows[0][0], sizeof(rows[0]), {1}); ...
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/brackets.h"
#include "frontend/cuda/included_files.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::frontend::cuda {

class SizedAtRunTime {
public:
  // The value of the array in whose dimensions `at` is, or whose name begins there. nullopt: there
  // is none that is understood.
  static std::optional<SizedAtRunTime> at(std::string_view text, std::size_t at) {
    std::optional<std::size_t> first = open_before(text, at);
    if (!first) {
      while (at < text.size() && is_of_name(text[at]))
        ++at;
      if (at = next_token(text, at); at < text.size() && text[at] == '[')
        first = at;
    }
    while (first && text_before(text, *first).ends_with("]"))
      first = open_before(text, text_before(text, *first).size() - 1);
    if (!first)
      return std::nullopt;
    SizedAtRunTime found;
    const std::size_t name_end = text_before(text, *first).size();
    std::size_t name = name_end;
    while (name > 0 && is_of_name(text[name - 1]))
      --name;
    found.name_ = text.substr(name, name_end - name);
    std::size_t end = *first;
    while (end < text.size() && text[end] == '[') {
      const std::optional<std::size_t> after = after_brackets(text, end);
      if (!after)
        return std::nullopt;
      ++found.dimensions_;
      end = next_token(text, *after);
    }
    found.begins = end;
    if (end < text.size() && text[end] == '=')
      end = next_token(text, end + 1);
    if (found.name_.empty() || end >= text.size() || !found.read_value(text, end))
      return std::nullopt;
    const std::size_t next = next_token(text, found.ends);
    if (next < text.size() && text[next] == ',') { // others follow
      const std::string type = type_before(text, name);
      if (type.empty())
        return std::nullopt;
      found.others_ = "; " + type;
      found.ends = next + 1;
    } else if (next >= text.size() || text[next] != ';') {
      return std::nullopt;
    }
    return found;
  }

  // What stands in its place, in as many lines.
  std::string text() const { return "; " + value_ + others_; }

  std::size_t begins = 0, ends = 0;

private:
  // Returns the place of the '[' that is open at `at`.
  static std::optional<std::size_t> open_before(std::string_view text, std::size_t at) {
    for (int open = 0; at > 0;) {
      const char letter = text[--at];
      if (letter == ';' || letter == '{' || letter == '}')
        break;
      open += letter == ']' || letter == ')' ? 1 : letter == '[' || letter == '(' ? -1 : 0;
      if (open < 0)
        return letter == '[' ? std::optional(at) : std::nullopt;
    }
    return std::nullopt;
  }

  // Reads {…} or a string at `at`.
  bool read_value(std::string_view text, std::size_t at) {
    if (text[at] == '"') {
      ends = model::after_comment_or_literal(text, at);
    } else if (text[at] == '{') {
      const std::optional<std::size_t> after = after_brackets(text, at);
      if (!after)
        return false;
      ends = *after;
    } else {
      return false;
    }
    return add_values(name_, dimensions_, text.substr(at, ends - at));
  }

  // Adds what gives `array` this value: {...} or a string. Returns false if it is not understood.
  bool add_values(const std::string& array, unsigned dimensions, std::string_view value) {
    const std::size_t first = next_token(value, 1);
    const bool has_rows = dimensions > 1 && value[0] == '{' && value.substr(first, 1) == "{";
    value_ += value[0] == '"' ? "::gputest_fill_text(&" : "::gputest_fill(&";
    value_ += array;
    for (unsigned i = 0; i < dimensions; ++i)
      value_ += "[0]";
    value_ += ", sizeof(" + array + ")";
    if (value[0] == '{' && first + 1 == value.size())
      value_ += value.substr(1, value.size() - 2); // blanks, and their lines
    else if (!has_rows)
      value_.append(", ").append(value);
    value_ += ")";
    std::size_t at = 1;
    for (unsigned row = 0; has_rows; ++row) {
      const std::size_t begin = next_token(value, at);
      value_ += value.substr(at, begin - at);
      if (begin + 1 == value.size())
        break;
      const std::optional<std::size_t> end =
          value[begin] == '{' ? after_brackets(value, begin) : std::nullopt;
      value_ += "; ";
      if (!end || !add_values(array + "[" + std::to_string(row) + "]", dimensions - 1,
                              value.substr(begin, *end - begin)))
        return false;
      at = next_token(value, *end);
      value_ += value.substr(*end, at - *end);
      at += value[at] == ',' ? 1 : 0;
    }
    return true;
  }

  // Returns the type in front of the declarators of the statement, the last of which begins at
  // `name`.
  static std::string type_before(std::string_view text, std::size_t name) {
    std::size_t begin = name;
    const auto ends_before = [&](std::size_t at) { // `::` is of a type
      return std::string_view(";{}#").find(text[at]) != std::string_view::npos ||
             (text[at] == ':' && text.substr(at + 1, 1) != ":" && (at == 0 || text[at - 1] != ':'));
    };
    while (begin > 0 && !ends_before(begin - 1))
      --begin;
    if (begin > 0 && text[begin - 1] == '#') // a directive
      begin = std::min(text.find('\n', begin), name);
    std::string_view type = text.substr(begin, name - begin);
    int angles = 0;
    for (std::size_t at = 0; at < type.size(); ++at) {
      angles += type[at] == '<' ? 1 : type[at] == '>' ? -1 : 0;
      if (angles > 0 || (type[at] != ',' && type[at] != '=' && type[at] != '['))
        continue;
      std::size_t end = text_before(type, at).size(); // without the first declarator's name
      while (end > 0 && is_of_name(type[end - 1]))
        --end;
      type = type.substr(0, end);
    }
    std::size_t end = text_before(type, type.size()).size();
    while (end > 0 && (type[end - 1] == '*' || type[end - 1] == '&'))
      end = text_before(type, end - 1).size();
    return std::string(type.substr(0, end));
  }

  std::string name_;
  unsigned dimensions_ = 0;
  std::string value_, others_;
};

} // namespace gputest::frontend::cuda
