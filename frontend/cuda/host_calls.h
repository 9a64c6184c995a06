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
#include <optional>
#include <string>
#include <string_view>

namespace gputest::frontend::cuda {

class HostCall {
public:
  // The call of a function whose name is at `at`. `function`: its name, as Clang tells it: f<int>.
  // nullopt: something else is there, such as a macro, an operator or a declaration of an object.
  static std::optional<HostCall> at(std::string_view text, std::size_t at,
                                    std::string_view function) {
    HostCall found;
    found.name_ = function.substr(0, function.find('<'));
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    if (end == at || text.substr(at, end - at) != found.name_)
      return std::nullopt;
    std::size_t open = behind_blanks(text, end);
    if (open < text.size() && text[open] == '<' && found.name_.size() < function.size())
      open = behind_blanks(text, behind_template_arguments(text, open));
    if (open >= text.size() || text[open] != '(')
      return std::nullopt;
    found.ends = behind_brackets(text, open);
    found.begins = begin_of_object(text, at);
    found.call_ = text.substr(found.begins, found.ends - found.begins);
    if (found.ends == open || has_directive(found.call_))
      return std::nullopt;
    return found;
  }

  std::string text() const { return "GPUTEST_HOST_CALL(\"" + name_ + "\", " + call_ + ")"; }

  std::size_t begins = 0, ends = 0;

private:
  static bool has_directive(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1))
      if (const std::size_t next = behind_blanks(text, at); next < text.size() && text[next] == '#')
        return true;
    return false;
  }
  // Returns the place behind the bracket that closes the one at `open`; `open`: there is none.
  static std::size_t behind_brackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size();) {
      if (const std::size_t after = model::after_comment_or_literal(text, at); after != at) {
        at = after;
        continue;
      }
      const char letter = text[at++];
      depth += letter == '(' || letter == '[' || letter == '{'   ? 1
               : letter == ')' || letter == ']' || letter == '}' ? -1
                                                                 : 0;
      if (depth == 0)
        return at;
    }
    return open;
  }
  // Returns the begin of the group that ends at `end`: (…), […] or <…>.
  static std::size_t begin_of_group(std::string_view text, std::size_t end) {
    int depth = 0;
    for (std::size_t at = end; at > 0;) {
      const char letter = text[--at];
      depth += letter == ')' || letter == ']' || letter == '>'   ? 1
               : letter == '(' || letter == '[' || letter == '<' ? -1
                                                                 : 0;
      if (depth == 0)
        return at;
    }
    return end;
  }
  static std::size_t begin_of_name(std::string_view text, std::size_t end) {
    while (end > 0 && is_of_name(text[end - 1]))
      --end;
    return end;
  }
  // Returns the begin of the namespaces, classes and objects in front of a name: a.b[i]->, A<T>::.
  static std::size_t begin_of_object(std::string_view text, std::size_t at) {
    while (true) {
      const std::string_view before = text_before(text, at);
      if (before.ends_with("::")) {
        at = before.size() - 2;
        const std::size_t end = text_before(text, at).size();
        const std::size_t name = end > 0 && text[end - 1] == '>' ? begin_of_group(text, end) : end;
        if (const std::size_t begin = begin_of_name(text, text_before(text, name).size());
            begin < name)
          at = begin;
      } else if (before.ends_with("->") || before.ends_with(".")) {
        at = text_before(text, before.size() - (before.ends_with(".") ? 1 : 2)).size();
        while (at > 0 && (text[at - 1] == ')' || text[at - 1] == ']'))
          at = text_before(text, begin_of_group(text, at)).size();
        at = begin_of_name(text, at);
      } else {
        return at;
      }
    }
  }

  std::string name_, call_;
};

} // namespace gputest::frontend::cuda
