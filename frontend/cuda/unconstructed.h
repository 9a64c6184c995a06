// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc takes __shared__ objects in functions whose classes have constructors or destructors, and
// calls neither. Clang refuses them. The text
//   __shared__ Vector tile[8];
// is then read as
//   typedef Vector gputest_type_tile[8]; __shared__ ::gputest_unconstructed<gputest_type_tile>
//   gputest_shared_tile; constexpr auto& tile = gputest_shared_tile.value;
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/special_registers.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

struct TextPlace {
  unsigned line = 0, column = 0; // from 1
};

struct TextEdit {
  std::size_t begin = 0, end = 0; // what it replaces
  std::string text;
};

// Names of declarations that Clang refuses, by file.
using RefusedObjects = std::map<std::string, std::vector<TextPlace>>;

constexpr std::string_view kSharedObject = "gputest_shared_"; // and the author's name

inline std::string absolute_name(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

// Returns what the messages refuse for its constructor or destructor. Names of files are absolute.
inline RefusedObjects refused_objects(const std::string& messages) {
  constexpr std::string_view kMessage = "initialization is not supported for __shared__ variables";
  RefusedObjects refused;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(kMessage) == std::string::npos)
      continue;
    for (std::size_t at = 0; (at = line.find('\033', at)) != std::string::npos;) // colours
      line.erase(at, line.find('m', at) - at + 1);
    std::size_t end = line.find(": error:");
    unsigned numbers[2]{}; // column and line
    for (unsigned& number : numbers) {
      const std::size_t colon = line.rfind(':', end == std::string::npos ? end : end - 1);
      if (end == std::string::npos || colon == std::string::npos || colon + 1 == end ||
          !std::all_of(line.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                       line.begin() + static_cast<std::ptrdiff_t>(end),
                       [](unsigned char digit) { return std::isdigit(digit); }))
        break;
      number = static_cast<unsigned>(std::stoul(line.substr(colon + 1, end - colon - 1)));
      end = colon;
    }
    if (numbers[1] > 0)
      refused[absolute_name(line.substr(0, end))].push_back(
          {.line = numbers[1], .column = numbers[0]});
  }
  return refused;
}

// One declaration `__shared__ T a, b[2];` of a text.
class SharedDeclaration {
public:
  // The declaration that has the character at `at`; nullopt: there is none that nvcc takes.
  static std::optional<SharedDeclaration> around(std::string_view text, std::size_t at) {
    SharedDeclaration found;
    found.begins = 0;
    for (std::size_t i = 0; i < at;) // the end of what precedes it
      if (const std::size_t after = after_comment_or_literal(text, i); after != i)
        i = after;
      else if (const char letter = text[i++]; letter == ';' || letter == '{' || letter == '}')
        found.begins = i;
    while (found.begins < at && std::isspace(static_cast<unsigned char>(text[found.begins])))
      ++found.begins;
    found.ends = text.find(';', at);
    if (found.ends++ == std::string_view::npos ||
        !found.read(text.substr(found.begins, found.ends - 1 - found.begins)))
      return std::nullopt;
    return found;
  }

  // What stands in its place, in as many lines.
  std::string text() const {
    std::string result = "typedef " + type_;
    for (std::size_t i = 0; i < names_.size(); ++i)
      result +=
          (i > 0 ? "," : " ") + behind_type_[i] + "gputest_type_" + names_[i] + dimensions_[i];
    result += ";";
    for (const std::string& name : names_)
      result += " " + alignment_ + "__shared__ ::gputest_unconstructed<gputest_type_" + name +
                "> " + std::string(kSharedObject) + name + "; constexpr auto& " + name + " = " +
                std::string(kSharedObject) + name + ".value;";
    return result;
  }

  std::size_t begins = 0, ends = 0; // with its semicolon

private:
  static bool is_name(std::string_view word) {
    return !word.empty() && is_of_name(word.front()) &&
           !std::isdigit(static_cast<unsigned char>(word.front()));
  }

  // Splits the declaration: words of storage and alignment, the type, and the declarators.
  bool read(std::string_view declaration) {
    std::vector<std::string> parts(1);
    bool is_shared = false;
    int inner = 0, angles = 0; // open brackets
    for (std::size_t at = 0; at < declaration.size();) {
      std::size_t end = after_comment_or_literal(declaration, at);
      const char letter = declaration[at];
      if (end == at && is_of_name(letter)) {
        while (end < declaration.size() && is_of_name(declaration[end]))
          ++end;
        const std::string_view word = declaration.substr(at, end - at);
        const bool is_outside = inner == 0 && angles == 0;
        if (is_outside && (word == "__shared__" || word == "static")) {
          is_shared |= word == "__shared__";
          at = end;
          continue;
        }
        if (is_outside && (word == "alignas" || word == "__align__" || word == "__attribute__")) {
          int open = 0;
          do
            open += declaration[end] == '(' ? 1 : declaration[end] == ')' ? -1 : 0;
          while (++end < declaration.size() && (open > 0 || declaration[end - 1] != ')'));
          alignment_ += std::string(declaration.substr(at, end - at)) + " ";
          at = end;
          continue;
        }
        if (word == "extern" || word == "constexpr" || word == "typedef" ||
            word == "gputest_unconstructed")
          return false;
      } else if (end == at) {
        ++end;
        inner += letter == '(' || letter == '[' || letter == '{'   ? 1
                 : letter == ')' || letter == ']' || letter == '}' ? -1
                                                                   : 0;
        if (inner == 0)
          angles += letter == '<' ? 1 : letter == '>' ? -1 : 0;
        if (inner == 0 && angles == 0 && letter == '=')
          return false; // it has a value
        if (inner == 0 && angles == 0 && letter == ',') {
          parts.emplace_back();
          at = end;
          continue;
        }
      }
      parts.back() += declaration.substr(at, end - at);
      at = end;
    }
    return is_shared && std::ranges::all_of(parts, [&](const std::string& part) {
             return add_declarator(part, &part == &parts.front());
           });
  }

  // `part`: `a[2]`, behind the type in the first one.
  bool add_declarator(const std::string& part, bool is_first) {
    std::size_t end = text_before(part, part.size()).size();
    while (end > 0 && part[end - 1] == ']') {
      end = part.rfind('[', end - 1);
      if (end == std::string::npos)
        return false;
      end = text_before(part, end).size();
    }
    std::size_t begin = end;
    while (begin > 0 && is_of_name(part[begin - 1]))
      --begin;
    const std::string name = part.substr(begin, end - begin);
    const std::string before = part.substr(0, begin);
    if (!is_name(name) || text_before(before, before.size()).empty() == is_first)
      return false;
    if (is_first)
      type_ = before;
    behind_type_.push_back(is_first ? "" : before);
    names_.push_back(name);
    dimensions_.push_back(part.substr(end));
    return true;
  }

  std::string type_, alignment_;
  std::vector<std::string> names_, behind_type_, dimensions_;
};

// Returns the edits of a text for these places, in its order. Places without such a declaration
// have none.
inline std::vector<TextEdit> edits_of_refused(std::string_view text,
                                              const std::vector<TextPlace>& places) {
  std::map<std::size_t, TextEdit> edits;
  for (const TextPlace& place : places) {
    std::size_t at = 0;
    for (unsigned line = 1; line < place.line && at < text.size(); ++line)
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
    at += place.column - 1;
    if (at >= text.size())
      continue;
    if (const auto found = SharedDeclaration::around(text, at))
      edits[found->begins] = {found->begins, found->ends, found->text()};
  }
  std::vector<TextEdit> result;
  for (auto& [begin, edit] : edits)
    result.push_back(std::move(edit));
  return result;
}

// Adds what can be mended of the objects that the messages refuse. Returns whether there are any.
// `read`: returns the text of a file, or nullopt.
template <typename Read>
bool add_refused(const std::string& messages, std::vector<RefusedObjects>& refused, Read read) {
  RefusedObjects objects = refused_objects(messages);
  std::erase_if(objects, [&](const auto& file_and_places) {
    const auto text = read(file_and_places.first);
    return !text || edits_of_refused(*text, file_and_places.second).empty();
  });
  if (objects.empty())
    return false;
  refused.push_back(std::move(objects));
  return true;
}

inline std::string edited(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  std::size_t copied = 0;
  for (const TextEdit& edit : edits) {
    result += text.substr(copied, edit.begin - copied);
    result += edit.text;
    copied = edit.end;
  }
  return result += text.substr(copied);
}

} // namespace gputest::frontend::cuda
