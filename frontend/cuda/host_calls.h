// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc warns where a function for host and device calls one of the host, and takes it: device code
// that never comes there works. Clang refuses it, so the call f(x) is read as
//   GPUTEST_HOST_CALL("f", f(x))
// which is the call on the host, and ends the kernel on the device (gputest_cuda/host_calls.h).
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/included_files.h"
#include "frontend/cuda/kernel_references.h"
#include "model/text/comments.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend::cuda {

// The brackets of a text in front of a place, but for those of comments and literals.
class BracketsBefore {
public:
  BracketsBefore(std::string_view text, std::size_t end) : text_(text) {
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < end;) {
      if (const std::size_t after = model::after_comment_or_literal(text, at); after != at) {
        at = after;
        continue;
      }
      const char letter = text[at];
      if (letter == '(' || letter == '[' || letter == '{')
        open.push_back(at);
      else if ((letter == ')' || letter == ']' || letter == '}') && !open.empty()) {
        open_[at] = open.back();
        open.pop_back();
      }
      ++at;
    }
  }

  // Returns the place of the bracket that the one at `close` closes; nullopt: there is none.
  std::optional<std::size_t> open_of(std::size_t close) const {
    const auto found = open_.find(close);
    return found == open_.end() ? std::nullopt : std::optional(found->second);
  }

  // The same for the > of template arguments.
  std::optional<std::size_t> open_of_arguments(std::size_t close) const {
    int depth = 0;
    for (std::size_t at = close + 1; at > 0;) {
      const char letter = text_[--at];
      if (const auto open = open_of(at)) {
        at = *open;
        continue;
      }
      if (letter == ';' || letter == '{' || letter == '(' || letter == '[')
        break;
      if (letter == '>' && !(at > 0 && text_[at - 1] == '-'))
        ++depth;
      else if (letter == '<' && --depth == 0)
        return at;
    }
    return std::nullopt;
  }

private:
  std::string_view text_;
  std::map<std::size_t, std::size_t> open_; // by the place of what closes
};

class HostCall {
public:
  // The call of a function whose name is at `at`. `function`: its name, as Clang tells it: f<int>.
  // nullopt: something else is there, such as a macro, an operator, a declaration of an object, or
  // an initialiser of a member.
  static std::optional<HostCall> at(std::string_view text, std::size_t at,
                                    std::string_view function) {
    HostCall found;
    found.name_ = function.substr(0, function.find('<'));
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    if (end == at || text.substr(at, end - at) != found.name_)
      return std::nullopt;
    std::size_t open = next_token(text, end);
    if (open < text.size() && text[open] == '<' && found.name_.size() < function.size())
      open = next_token(text, after_brackets(text, open).value_or(text.size()));
    if (open >= text.size() || text[open] != '(')
      return std::nullopt;
    const std::optional<std::size_t> ends = after_brackets(text, open);
    const BracketsBefore brackets(text, at);
    const std::optional<std::size_t> begin = begin_of_object(text, at, brackets);
    if (!begin || !ends || is_initialiser(text, *begin, brackets))
      return std::nullopt;
    found.begins = *begin;
    found.ends = *ends;
    found.call_ = text.substr(found.begins, found.ends - found.begins);
    if (has_directive(found.call_))
      return std::nullopt;
    return found;
  }

  std::string text() const { return "GPUTEST_HOST_CALL(\"" + name_ + "\", " + call_ + ")"; }

  std::size_t begins = 0, ends = 0;

private:
  static bool has_directive(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1))
      if (const std::size_t next = next_token(text, at); next < text.size() && text[next] == '#')
        return true;
    return false;
  }
  // Returns the word that ends at `end`.
  static std::string_view word_before(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && is_of_name(text[begin - 1]))
      --begin;
    return text.substr(begin, end - begin);
  }
  // Whether it is a word that an expression may follow, and no name.
  static bool is_keyword(std::string_view word) {
    constexpr std::string_view kWords[]{"return",    "throw",  "else", "do", "case",
                                        "co_return", "goto",   "and",  "or", "not",
                                        "new",       "delete", "xor",  "in", "sizeof"};
    return std::ranges::find(kWords, word) != std::end(kWords);
  }

  // Returns the begin of the namespaces, classes and objects in front of a name: a.b[i]->, A<T>::.
  // nullopt: they are none that are understood.
  static std::optional<std::size_t> begin_of_object(std::string_view text, std::size_t at,
                                                    const BracketsBefore& brackets) {
    while (true) {
      const std::string_view before = text_before(text, at);
      const std::string_view word = word_before(text, before.size());
      if (word == "template") {
        at = before.size() - word.size();
        continue;
      }
      if (word == "new" || before.ends_with("*/"))
        return std::nullopt;
      if (before.ends_with("::")) {
        at = before.size() - 2;
        std::size_t end = text_before(text, at).size();
        if (end > 0 && text[end - 1] == '>') {
          const auto open = brackets.open_of_arguments(end - 1);
          if (!open)
            return std::nullopt;
          end = text_before(text, *open).size();
          if (word_before(text, end).empty())
            return std::nullopt;
        }
        const std::string_view scope = word_before(text, end);
        if (!scope.empty() && !is_keyword(scope))
          at = end - scope.size();
      } else if ((before.ends_with(".") && !before.ends_with("...")) || before.ends_with("->")) {
        const auto begin = begin_of_operand(
            text, text_before(text, before.size() - (before.ends_with(".") ? 1 : 2)).size(),
            brackets);
        if (!begin)
          return std::nullopt;
        at = *begin;
      } else {
        return at;
      }
    }
  }
  // Returns the begin of the name, call or element that ends at `end`, but for what is in front of
  // a dot, an arrow or ::.
  static std::optional<std::size_t> begin_of_operand(std::string_view text, std::size_t end,
                                                     const BracketsBefore& brackets) {
    std::optional<std::size_t> group; // the begin of the first one
    while (end > 0 && (text[end - 1] == ')' || text[end - 1] == ']')) {
      group = brackets.open_of(end - 1);
      if (!group)
        return std::nullopt;
      end = text_before(text, *group).size();
    }
    if (group && end > 0 && text[end - 1] == '>')
      if (const auto open = brackets.open_of_arguments(end - 1)) // name<…>()
        end = text_before(text, *open).size();
    const std::string_view word = word_before(text, end);
    if (!word.empty() && !is_keyword(word))
      return end - word.size();
    return group && text[*group] == '(' ? group : std::nullopt;
  }

  // Whether an initialiser of a member or base class begins at `begin`: A() : a(1), Base(2) {}.
  static bool is_initialiser(std::string_view text, std::size_t begin,
                             const BracketsBefore& brackets) {
    std::optional<std::size_t> colon;
    for (std::size_t at = begin; at > 0;) {
      const char letter = text[--at];
      if (const auto open = brackets.open_of(at)) {
        at = *open;
        continue;
      }
      if (letter == ';' || letter == '{' || letter == '}' || letter == '(' || letter == '[')
        break;
      if (letter == '?')
        colon.reset();
      else if (letter == ':' && at > 0 && text[at - 1] == ':')
        --at;
      else if (letter == ':')
        colon = at;
    }
    if (!colon)
      return false;
    const std::string_view before = text_before(text, *colon);
    return before.ends_with(")") || before.ends_with("noexcept");
  }

  std::string name_, call_;
};

} // namespace gputest::frontend::cuda
