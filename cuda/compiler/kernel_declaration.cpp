// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/kernel_declaration.h"

#include "frontend/cuda/special_registers.h"
#include "model/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gputest::cuda::compiler {
namespace {

constexpr auto kNoPlace = std::string_view::npos;

bool is_blank(char letter) {
  return std::isspace(static_cast<unsigned char>(letter)) != 0;
}

using model::trimmed;

std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at + 1, text.size());
}

std::size_t end_of_raw(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == kNoPlace)
    return text.size();
  const std::string end = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t close = text.find(end, open);
  return close == kNoPlace ? text.size() : close + end.size();
}

std::size_t end_of_directive(std::string_view text, std::size_t at) {
  for (; at < text.size() && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at, text.size());
}

// Returns the place of the = of a default; npos: there is none.
std::size_t default_of(std::string_view parameter) {
  int open = 0;
  for (std::size_t at = 0; at < parameter.size(); ++at) {
    const char letter = parameter[at];
    open += std::string_view("([{<").find(letter) != kNoPlace   ? 1
            : std::string_view(")]}>").find(letter) != kNoPlace ? -1
                                                                : 0;
    if (letter == '=' && open == 0)
      return at;
  }
  return kNoPlace;
}

// "T" of "typename T = float", "n" of "int n", "A..." of "typename... A"; empty: it has no name.
std::string argument_of(std::string_view parameter) {
  const std::string_view whole = trimmed(parameter.substr(0, default_of(parameter)));
  std::size_t begin = whole.size();
  while (begin > 0 && frontend::cuda::is_of_name(whole[begin - 1]))
    --begin;
  const std::string name(whole.substr(begin));
  if (name.empty() || begin == 0 || name == "typename" || name == "class")
    return "";
  return name + (whole.substr(0, begin).find("...") != kNoPlace ? "..." : "");
}

// Reads the template's head that ends in front of `at`, but for words such as static.
void read_head(std::string_view text, std::size_t at, KernelDeclaration& kernel) {
  while (true) {
    const std::string_view before = frontend::cuda::text_before(text, at);
    std::size_t begin = before.size();
    while (begin > 0 && frontend::cuda::is_of_name(before[begin - 1]))
      --begin;
    const std::string_view word = before.substr(begin);
    if (word != "static" && word != "inline" && word != "extern" && word != "void")
      break;
    at = begin;
  }
  const std::string_view before = frontend::cuda::text_before(text, at);
  if (before.empty() || before.back() != '>')
    return;
  std::size_t open = before.size();
  for (int depth = 0; open > 0;) {
    --open;
    depth += before[open] == '>' ? 1 : before[open] == '<' ? -1 : 0;
    if (depth == 0)
      break;
  }
  const std::string_view word = frontend::cuda::text_before(text, open);
  if (!word.ends_with("template"))
    return;
  const std::string_view list = before.substr(open + 1, before.size() - open - 2);
  std::string arguments;
  for (const std::string& parameter : parts_of(list, true)) {
    const std::string argument = argument_of(parameter);
    if (argument.empty())
      return;
    arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  kernel.head = "template <" + std::string(list) + ">";
  kernel.arguments = arguments;
}

// Returns the place of the bracket in front of the parameters, and sets the name. npos: it is none.
std::size_t parameters_of(std::string_view text, std::size_t at, std::string& name) {
  while (at < text.size()) {
    if (const std::size_t after = after_no_code(text, at, false); after != at) {
      at = after;
    } else if (frontend::cuda::is_of_name(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && frontend::cuda::is_of_name(text[at]))
        ++at;
      name = text.substr(begin, at - begin);
    } else if (text[at] == '(') {
      constexpr std::string_view kAttributes =
          " __launch_bounds__ __attribute__ __cluster_dims__ __maxnreg__ __block_size__ ";
      if (kAttributes.find(" " + name + " ") == kNoPlace)
        return name.empty() || name == "void" ? kNoPlace : at;
      const std::size_t close = closing_bracket(text, at);
      if (close == kNoPlace)
        return kNoPlace;
      at = close + 1;
      name.clear();
    } else if (is_blank(text[at])) {
      ++at;
    } else {
      return kNoPlace;
    }
  }
  return kNoPlace;
}

std::size_t end_of_declaration(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (const std::size_t after = after_no_code(text, at, false); after != at)
      at = after - 1;
    else if (text[at] == ';')
      return at + 1;
    else if (text[at] == '{')
      break;
  }
  const std::size_t close = at < text.size() ? closing_bracket(text, at) : kNoPlace;
  return close == kNoPlace ? kNoPlace : close + 1;
}

} // namespace

std::size_t after_no_code(std::string_view text, std::size_t at, bool begins_line) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == kNoPlace ? text.size() : end + 2;
  }
  if (rest.starts_with("R\"") && (at == 0 || !frontend::cuda::is_of_name(text[at - 1])))
    return end_of_raw(text, at + 1);
  const bool separates_digits = at > 0 && frontend::cuda::is_of_name(text[at - 1]); // 1'000'000
  if (text[at] == '"' || (text[at] == '\'' && !separates_digits))
    return end_of_literal(text, at);
  if (text[at] == '#' && begins_line)
    return end_of_directive(text, at);
  return at;
}

std::size_t outside_brackets(std::string_view text, std::size_t at, std::string_view wanted) {
  int open = 0;
  for (; at < text.size(); ++at) {
    if (const std::size_t after = after_no_code(text, at, false); after != at) {
      at = after - 1;
      continue;
    }
    open += std::string_view("([{").find(text[at]) != kNoPlace   ? 1
            : std::string_view(")]}").find(text[at]) != kNoPlace ? -1
                                                                 : 0;
    if (open == 0 && text.substr(at).starts_with(wanted))
      return at;
  }
  return kNoPlace;
}

std::vector<std::string> parts_of(std::string_view list, bool angles) {
  std::vector<std::string> parts;
  if (trimmed(list).empty())
    return parts;
  const std::string_view opening = angles ? "([{<" : "([{", closing = angles ? ")]}>" : ")]}";
  int open = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (const std::size_t after = after_no_code(list, at, false); after != at) {
      at = after - 1;
      continue;
    }
    open += opening.find(list[at]) != kNoPlace ? 1 : closing.find(list[at]) != kNoPlace ? -1 : 0;
    if (list[at] == ',' && open == 0) {
      parts.emplace_back(trimmed(list.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  parts.emplace_back(trimmed(list.substr(begin)));
  return parts;
}

std::optional<KernelDeclaration> kernel_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kWord = "__global__";
  KernelDeclaration kernel;
  const std::size_t open = parameters_of(text, at + kWord.size(), kernel.name);
  const std::size_t close = open == kNoPlace ? kNoPlace : closing_bracket(text, open);
  if (close == kNoPlace)
    return std::nullopt;
  std::string parameters(text.substr(open + 1, close - open - 1));
  if (parameters.find("//") != kNoPlace || parameters.find("/*") != kNoPlace ||
      parameters.find('#') != kNoPlace)
    return std::nullopt;
  std::ranges::replace(parameters, '\n', ' ');
  for (const std::string& parameter : parts_of(parameters, true))
    if (parameter != "void") {
      const std::size_t equals = default_of(parameter);
      kernel.defaults.emplace_back(
          equals == kNoPlace ? "" : trimmed(std::string_view(parameter).substr(equals + 1)));
      kernel.types += (kernel.types.empty() ? "" : ", ") + parameter.substr(0, equals);
    }
  kernel.end = end_of_declaration(text, close + 1);
  if (kernel.end == kNoPlace)
    return std::nullopt;
  read_head(text, at, kernel);
  std::ranges::replace(kernel.head, '\n', ' ');
  kernel.parameters = std::move(parameters);
  return kernel;
}

} // namespace gputest::cuda::compiler
