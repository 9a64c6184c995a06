// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/python_literal.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace gputest::runtime {
namespace {

using Json = nlohmann::ordered_json;

class Parser {
public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Json value(int depth = 0) {
    if (depth > 32)
      throw std::invalid_argument("nested too deeply");
    skip_space();
    if (rest_.empty())
      throw std::invalid_argument("ends too early");
    switch (rest_.front()) {
    case '{':
      return dictionary(depth);
    case '[':
      return sequence(']', depth);
    case '(':
      return sequence(')', depth);
    case '\'':
    case '"':
      return string();
    default:
      return word();
    }
  }

  void expect_end() {
    skip_space();
    if (!rest_.empty())
      throw std::invalid_argument("text after the end");
  }

private:
  void skip_space() {
    const std::size_t end = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }

  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c)
      return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c))
      throw std::invalid_argument(std::string("'") + c + "' expected");
  }

  Json dictionary(int depth) {
    Json object = Json::object();
    expect('{');
    while (!take('}')) {
      const Json key = value(depth + 1);
      if (!key.is_string())
        throw std::invalid_argument("a key is no string");
      expect(':');
      object[key.get<std::string>()] = value(depth + 1);
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    return object;
  }

  Json sequence(char close, int depth) {
    Json array = Json::array();
    rest_.remove_prefix(1);
    bool trailing_comma = false;
    while (!take(close)) {
      array.push_back(value(depth + 1));
      trailing_comma = take(',');
      if (!trailing_comma) {
        expect(close);
        break;
      }
    }
    // "(3)" is 3, "(3,)" is a tuple.
    if (close == ')' && array.size() == 1 && !trailing_comma)
      return array[0];
    return array;
  }

  Json string() {
    const char quote = rest_.front();
    std::string text;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != quote; ++i) {
      if (rest_[i] == '\\' && i + 1 < rest_.size())
        ++i;
      text += rest_[i];
    }
    if (i == rest_.size())
      throw std::invalid_argument("a string does not end");
    rest_.remove_prefix(i + 1);
    return text;
  }

  Json word() {
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n,:)]}"), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (text == "True" || text == "False")
      return text == "True";
    if (text == "None")
      return nullptr;
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size())
      throw std::invalid_argument("'" + std::string(text) + "' is unknown");
    return number;
  }

  std::string_view rest_;
};

} // namespace

Json parse_python_literal(std::string_view text) {
  Parser parser(text);
  Json result = parser.value();
  parser.expect_end();
  return result;
}

} // namespace gputest::runtime
