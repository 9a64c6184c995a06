// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hostgen/cpp_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace gputest::hostgen {
namespace {

constexpr std::size_t line_length = 100;

} // namespace

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      literal += {'\\', c};
    else if (c == '\n')
      literal += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      literal += fmt::format("\\{:03o}", byte); // octal ends after three digits, \x would go on
    else
      literal += c;
  }
  return literal + '"';
}

std::string number_literal(double value) {
  return fmt::format("{}", value);
}

std::string braced_list(const std::vector<std::string>& items, std::size_t column,
                        std::size_t indent) {
  std::string one_line = fmt::format("{{{}}}", fmt::join(items, ", "));
  if (column + one_line.size() + 1 <= line_length) // 1: the comma after it
    return one_line;
  std::string lines = "{\n";
  for (const std::string& item : items)
    lines += fmt::format("{:{}}{},\n", "", indent + 4, item);
  return lines + fmt::format("{:{}}}}", "", indent);
}

void DesignatedInitialisers::add(std::string_view name, std::string_view value) {
  if (!text_.empty())
    text_ += '\n';
  text_ += fmt::format("{:{}}.{} = {},", "", indent_, name, value);
}

void DesignatedInitialisers::add_list(std::string_view name,
                                      const std::vector<std::string>& items) {
  if (!items.empty())
    add(name, braced_list(items, indent_ + name.size() + 4, indent_));
}

void DesignatedInitialisers::add_text(std::string_view name, std::string_view text) {
  if (!text.empty())
    add(name, string_literal(text));
}

void DesignatedInitialisers::add_texts(std::string_view name,
                                       const std::vector<std::string>& texts) {
  std::vector<std::string> literals;
  std::ranges::transform(texts, std::back_inserter(literals), string_literal);
  add_list(name, literals);
}

std::string fill_template(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string filled;
  while (true) {
    const std::size_t begin = text.find('@');
    filled += text.substr(0, begin);
    if (begin == std::string_view::npos)
      return filled;
    const std::size_t end = text.find('@', begin + 1);
    const auto value = end == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(text.substr(begin + 1, end - begin - 1)));
    if (value == values.end())
      throw std::logic_error("template: nothing is known for " +
                             std::string(text.substr(begin, end - begin)));
    filled += value->second;
    text.remove_prefix(end + 1);
  }
}

bool is_qualified_name(std::string_view text) {
  static const std::regex name("(::)?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*");
  return std::regex_match(text.begin(), text.end(), name);
}

} // namespace gputest::hostgen
