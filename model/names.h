// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of enumerators, and words and lists of them as people write and read them.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gputest::model {

// An enumeration whose names stand beside it, in order of declaration:
//
//   constexpr auto names_of(Level) {
//     return std::to_array<std::string_view>({"full", "poor"});
//   }
template <typename Enum>
concept HasNames = std::is_enum_v<Enum> && requires(Enum value) { names_of(value); };

template <HasNames Enum> constexpr std::string_view name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}
// Returns the enumerator of that name; nullopt: it is none.
template <HasNames Enum> std::optional<Enum> named(std::string_view name) {
  const auto names = names_of(Enum());
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// Adds the name to a list, "A, B", unless it is empty or in the list.
inline void add_name(std::string& list, const std::string& name) {
  if (name.empty() || (", " + list + ", ").find(", " + name + ", ") != std::string::npos)
    return;
  list += (list.empty() ? "" : ", ") + name;
}

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

// Returns the text without white space at its ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(kWhiteSpace) - begin + 1);
}

// Returns the text with one space for each run of white space, and none at its beginning.
inline std::string folded(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (kWhiteSpace.find(c) == std::string_view::npos)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  return result;
}

// Returns "a", "" and "b" for "a,,b" and for "a,,b,"; nothing for "".
inline std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = list.find(separator);
    words.emplace_back(list.substr(0, end));
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return words;
}

// Returns the parts between the commas that are outside of brackets: "n", "min(a, b)".
inline std::vector<std::string> split_outside_brackets(std::string_view text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Returns Levenshtein's distance: the fewest letters to insert, remove or replace.
inline std::size_t distance_of(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

// Returns the name in `rows` that is probably meant by `word`, or "" if none is like it.
// `name_of`: the name of a row.
template <typename Rows, typename NameOf>
std::string_view meant_name(const Rows& rows, std::string_view word, NameOf name_of) {
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& row : rows) {
    const std::string_view name = std::invoke(name_of, row);
    if (const std::size_t distance = distance_of(name, word); distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

} // namespace gputest::model
