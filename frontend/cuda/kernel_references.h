// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc takes a kernel's address in device code: lib::fill<int>. Clang refuses it but in constants,
// so it is read as
//   (*::gputest_kernel_address<decltype(&lib::fill<int>), &lib::fill<int>>::value)
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

// Returns the begin of the name that ends at `end`, with scopes and template arguments; returns
// `end` if there is none.
inline std::size_t begin_of_kernel(std::string_view text, std::size_t end) {
  std::size_t at = text_before(text, end).size();
  while (true) {
    if (at > 0 && text[at - 1] == '>') {
      int open = 0;
      do {
        --at;
        open += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
      } while (at > 0 && open > 0);
      at = text_before(text, at).size();
    }
    const std::size_t name_end = at;
    while (at > 0 && is_of_name(text[at - 1]))
      --at;
    if (at == name_end)
      return end;
    const std::size_t scope = text_before(text, at).size();
    if (scope < 2 || text.substr(scope - 2, 2) != "::")
      return at;
    at = scope - 2;
    if (at == 0 || !(is_of_name(text[at - 1]) || text[at - 1] == '>'))
      return at; // ::kernel
  }
}

// An expression that is a kernel's name, with scopes and template arguments.
class KernelReference {
public:
  // The one at `at`, or behind the & at `at`. `kernel`: its name, as Clang tells it: fill<int>.
  // nullopt: another expression is there, such as a macro.
  static std::optional<KernelReference> at(std::string_view text, std::size_t at,
                                           std::string_view kernel) {
    const std::string_view name = kernel.substr(0, kernel.find('<'));
    if (at < text.size() && text[at] == '&')
      at = next_token(text, at + 1);
    KernelReference found;
    for (std::size_t begin = at;;) {
      if (text.substr(begin, 2) == "::")
        begin = next_token(text, begin + 2);
      std::size_t end = begin;
      while (end < text.size() && is_of_name(text[end]))
        ++end;
      if (end == begin)
        return std::nullopt;
      const bool is_kernel = text.substr(begin, end - begin) == name;
      std::size_t next = next_token(text, end);
      const bool has_arguments = next < text.size() && text[next] == '<';
      if (has_arguments) {
        const std::optional<std::size_t> behind = after_brackets(text, next);
        if (!behind)
          return std::nullopt;
        end = *behind;
        next = next_token(text, end);
      }
      if (text.substr(next, 2) == "::") {
        begin = next;
        continue;
      }
      if (!is_kernel || has_arguments != (name.size() < kernel.size()))
        return std::nullopt;
      found.ends = end;
      break;
    }
    found.begins = begin_of_scopes(text, at);
    found.name_ = text.substr(found.begins, found.ends - found.begins);
    return found;
  }

  // What stands in its place, in as many lines.
  std::string text() const {
    std::string in_one_line;
    for (std::size_t i = 0; i < name_.size();) {
      const std::size_t after = model::after_comment_or_literal(name_, i);
      if (after != i && name_[i] == '/')
        in_one_line += ' ';
      else
        in_one_line += name_.substr(i, std::max<std::size_t>(after - i, 1));
      i = std::max(after, i + 1);
    }
    std::ranges::replace(in_one_line, '\n', ' ');
    return "(*::gputest_kernel_address<decltype(&" + in_one_line + "), &" + name_ + ">::value)";
  }

  std::size_t begins = 0, ends = 0;

private:
  // Returns the begin of the namespaces in front of a name.
  static std::size_t begin_of_scopes(std::string_view text, std::size_t at) {
    while (true) {
      const std::size_t scope = text_before(text, at).size();
      if (scope < 2 || text.substr(scope - 2, 2) != "::")
        return at;
      at = scope - 2;
      while (at > 0 && is_of_name(text[at - 1]))
        --at;
    }
  }
  std::string name_;
};

// A launch in device code whose kernel is no constant: gputest-cuda took `kernel` for the name of
// one (cuda/compiler/device_launches.cpp), and it is a pointer.
struct LaunchByPointer {
  // `at`: the place of the template argument that is no constant.
  static std::optional<LaunchByPointer> at(std::string_view text, std::size_t at) {
    constexpr std::string_view kLaunch = "::gputest_device_launch<decltype(&";
    const std::size_t begin = text.rfind(kLaunch, at);
    if (begin == std::string_view::npos || text.substr(at, 1) != "&")
      return std::nullopt;
    const std::size_t name = begin + kLaunch.size(), name_end = text.find("), &", name);
    if (name_end == std::string_view::npos || name_end + 3 != at)
      return std::nullopt;
    const std::string kernel(text.substr(name, name_end - name));
    const std::string rest = "&" + kernel + ">(";
    if (text.substr(at, rest.size()) != rest)
      return std::nullopt;
    return LaunchByPointer{kernel, begin, at + rest.size()};
  }
  std::string text() const { return "::gputest_launch_of(" + kernel + ", "; }

  std::string kernel;
  std::size_t begins = 0, ends = 0;
};

// Returns the type of `{` at `at` if it begins an argument of a launch, which Clang does not take:
// kernel<<<{2, 2}, 32>>>.
inline std::string_view type_of_launch_argument(std::string_view text, std::size_t at) {
  const std::size_t open = text.substr(0, at).rfind("<<<");
  if (text.substr(at, 1) != "{" || open == std::string_view::npos)
    return {};
  const std::string_view before = text_before(text, at);
  int depth = 0, commas = 0;
  for (const char letter : text.substr(open + 3, at - open - 3)) {
    depth += letter == '(' || letter == '{' ? 1 : letter == ')' || letter == '}' ? -1 : 0;
    commas += depth == 0 && letter == ',' ? 1 : 0;
    if (letter == ';' || (depth == 0 && letter == '>'))
      return {};
  }
  if (depth != 0 || !(before.ends_with(",") || before.size() == open + 3))
    return {};
  return commas < 2 ? "dim3" : commas == 2 ? "size_t" : "cudaStream_t";
}

} // namespace gputest::frontend::cuda
