// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/shown_text.h"

#include <algorithm>
#include <initializer_list>

namespace gputest::passes::mutation {
namespace {

constexpr std::size_t kMost = 600, kAround = 100; // bytes

// The nearest place at or before `at` where a character begins.
std::size_t beginning(const std::string& text, std::size_t at) {
  while (at < text.size() && at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
    --at;
  return at;
}

// The surroundings of these places, which ascend.
std::string around(const std::string& text, std::initializer_list<std::size_t> places) {
  std::string result;
  std::size_t done = 0;
  for (const std::size_t place : places) {
    const std::size_t from = std::max(done, beginning(text, place - std::min(place, kAround)));
    const std::size_t to = std::max(done, beginning(text, std::min(text.size(), place + kAround)));
    if (from > done)
      result += " … ";
    result += text.substr(from, to - from);
    done = to;
  }
  return result;
}

} // namespace

std::pair<std::string, std::string> shown(const std::string& text, const std::string& replacement) {
  const std::size_t shorter = std::min(text.size(), replacement.size());
  if (std::max(text.size(), replacement.size()) <= kMost)
    return {text, replacement};
  const auto first =
      static_cast<std::size_t>(std::ranges::mismatch(text, replacement).in1 - text.begin());
  std::size_t same = 0; // bytes at the end
  while (same < shorter - first &&
         text[text.size() - same - 1] == replacement[replacement.size() - same - 1])
    ++same;
  const auto cut = [&](const std::string& all) {
    return around(all, {0, first, all.size() - same, all.size()});
  };
  return {cut(text), cut(replacement)};
}

} // namespace gputest::passes::mutation
