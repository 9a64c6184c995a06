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
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

constexpr std::string_view kSharedObject = "gputest_shared_"; // and the author's name

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

} // namespace gputest::frontend::cuda
