// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/operators/atomic_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace gputest::passes::mutation {
namespace {

// Whether the text is one operand, whatever stands beside it.
bool is_operand(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '[' || c == ']';
  });
}

std::string operand(const std::string& text) {
  return is_operand(text) ? text : "(" + text + ")";
}

// Whether the text is a name with indices and members: a[i + 1].x.
bool is_named(const std::string& text) {
  int depth = 0;
  return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    return depth > 0 || c == ']' || std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':';
  });
}

// The object that a pointer points to: x for &x.
std::string object(const std::string& pointer) {
  if (pointer.starts_with('&') && is_named(pointer.substr(1)))
    return pointer.substr(1);
  return "*" + operand(pointer);
}

} // namespace

std::string without_atomicity(llvm::StringRef operation, const std::vector<std::string>& arguments,
                              bool unused) {
  operation.consume_front("fetch_");
  const std::string at = object(arguments.at(0));
  const std::string value = arguments.size() > 1 ? arguments[1] : "";
  // In the place of the value that is read: the object itself, or what was saved of it.
  const std::string old = unused ? at : "old";
  const auto changed = [&](const std::string& to) {
    return unused ? fmt::format("{} = {}", at, to)
                  : fmt::format("(old = {}, {} = {}, old)", at, at, to);
  };
  constexpr std::array<std::pair<const char*, const char*>, 5> kOperators{
      {{"add", "+"}, {"sub", "-"}, {"and", "&"}, {"or", "|"}, {"xor", "^"}}};
  const auto found =
      std::ranges::find_if(kOperators, [&](const auto& one) { return operation == one.first; });
  const bool binary = arguments.size() > 1;
  if (found != kOperators.end() && binary)
    return unused ? fmt::format("{} {}= {}", at, found->second, value)
                  : changed(fmt::format("old {} {}", found->second, operand(value)));
  if ((operation == "xchg" || operation == "exch" || operation == "exchange") && binary)
    return changed(value);
  if ((operation == "min" || operation == "max") && binary)
    return changed(fmt::format("{}({}, {})", operation.str(), old, value));
  if (operation == "inc" || operation == "dec") {
    const bool up = operation == "inc";
    if (!binary) // OpenCL C
      return fmt::format("{}{}", at.starts_with('*') ? "(" + at + ")" : at, up ? "++" : "--");
    return changed(up ? fmt::format("{0} >= {1} ? 0 : {0} + 1", old, operand(value))
                      : fmt::format("{0} == 0 || {0} > {1} ? {1} : {0} - 1", old, operand(value)));
  }
  if ((operation == "cmpxchg" || operation == "cas") && arguments.size() > 2)
    return changed(fmt::format("{0} == {1} ? {2} : {0}", old, operand(value), arguments[2]));
  if (operation.starts_with("compare_exchange_") && arguments.size() > 2)
    return fmt::format("({0} == {1} ? ({0} = {2}, true) : ({1} = {0}, false))", at, object(value),
                       arguments[2]);
  if (operation == "flag_test_and_set")
    return unused ? fmt::format("{} = 1", at) : fmt::format("(old = {0}, {0} = 1, old != 0)", at);
  return "";
}

} // namespace gputest::passes::mutation
