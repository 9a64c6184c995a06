// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/suppressions/function_around.h"

#include "model/text/words.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace gputest::model {
namespace {

// Returns the name in "void f(int a)", the text before a brace. Empty: it declares no function.
std::string declared_function(const std::string& text) {
  const std::size_t close = text.rfind(')');
  std::size_t open = std::min(close, text.size());
  for (int depth = 0; open != text.npos && open < text.size(); --open) {
    depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
    if (depth == 0)
      break;
    if (open == 0)
      return "";
  }
  if (close == text.npos)
    return "";
  std::size_t end = open;
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
    --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_word(text[begin - 1]))
    --begin;
  const std::string word = text.substr(begin, end - begin);
  static const std::set<std::string> kNone{"if",     "for",   "while",
                                           "switch", "catch", "__attribute__"};
  return kNone.contains(word) ? "" : word;
}

} // namespace

std::string function_around(const std::vector<std::string>& lines, unsigned line) {
  std::vector<std::string> open; // for each open brace the function that begins there
  std::string text;              // since the last brace or semicolon
  char quote = 0;
  bool comment = false;
  for (unsigned number = 1; number <= lines.size() && number <= line; ++number) {
    const std::string& one = lines[number - 1];
    if (!comment && one.find_first_not_of(" \t") == one.find('#') &&
        one.find('#') != std::string::npos)
      continue;
    for (std::size_t i = 0; i < one.size(); ++i) {
      const std::string_view rest = std::string_view(one).substr(i);
      if (comment) {
        if (rest.starts_with("*/")) {
          comment = false;
          ++i;
        }
      } else if (quote != 0) {
        if (one[i] == '\\')
          ++i;
        else if (one[i] == quote)
          quote = 0;
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        comment = true;
        ++i;
      } else if (one[i] == '"' || one[i] == '\'') {
        quote = one[i];
      } else if (one[i] == '{') {
        open.push_back(declared_function(text));
        text.clear();
      } else if (one[i] == '}') {
        if (number == line) // its end belongs to it
          break;
        if (!open.empty())
          open.pop_back();
        text.clear();
      } else if (one[i] == ';') {
        text.clear();
      } else {
        text += one[i];
      }
    }
    quote = 0;
    text += ' ';
  }
  const auto found =
      std::ranges::find_if(open, [](const std::string& name) { return !name.empty(); });
  return found == open.end() ? "" : *found;
}

} // namespace gputest::model
