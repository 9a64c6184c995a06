// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/line_hashes.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace gputest::report {
namespace {

constexpr std::size_t kUnits = 100;
constexpr std::uint64_t kBase = 37;
constexpr char16_t kEnd = 0xFFFF;

constexpr std::uint64_t kBaseOfOldest = [] {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < kUnits; ++i)
    power *= kBase;
  return power;
}();

// Bytes that are not UTF-8 become U+FFFD.
std::u16string utf16_of(std::string_view text) {
  std::u16string units;
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80    ? 1
                               : lead >= 0xF0 ? 4
                               : lead >= 0xE0 ? 3
                               : lead >= 0xC2 ? 2
                                              : 0;
    std::uint32_t point = length < 2 ? lead : lead & (0xFFU >> (length + 1));
    bool valid = length != 0 && length <= text.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      valid = (next & 0xC0U) == 0x80;
      point = point << 6 | (next & 0x3FU);
    }
    text.remove_prefix(valid ? length : 1);
    if (!valid)
      point = 0xFFFD;
    if (point >= 0x10000)
      units += {static_cast<char16_t>(0xD7C0 + (point >> 10)),
                static_cast<char16_t>(0xDC00 + (point & 0x3FF))};
    else
      units += static_cast<char16_t>(point);
  }
  return units;
}

// A line has its hash when the window has gone past it.
class Window {
public:
  void take(char16_t unit) {
    finish_line();
    if (at_start_) {
      begins_[at_] = hashes.size();
      hashes.emplace_back();
    }
    at_start_ = unit == '\n';
    push(unit);
  }

  void flush() {
    for (std::size_t i = 0; i < kUnits; ++i) {
      finish_line();
      push(0);
    }
  }

  std::vector<std::string> hashes;

private:
  void finish_line() {
    if (!begins_[at_])
      return;
    const unsigned times = ++seen_[hash_];
    hashes[*begins_[at_]] = fmt::format("{:x}:{}", hash_, times);
    begins_[at_].reset();
  }

  void push(char16_t unit) {
    hash_ = kBase * hash_ + unit - kBaseOfOldest * units_[at_];
    units_[at_] = unit;
    at_ = (at_ + 1) % kUnits;
  }

  std::array<char16_t, kUnits> units_{};
  std::array<std::optional<std::size_t>, kUnits> begins_{}; // the line that begins with the unit
  std::map<std::uint64_t, unsigned> seen_;
  std::uint64_t hash_ = 0;
  std::size_t at_ = 0; // of the oldest unit
  bool at_start_ = true;
};

} // namespace

std::vector<std::string> line_hashes(std::string_view text) {
  Window window;
  bool after_return = false;
  for (const char16_t unit : utf16_of(text)) {
    const bool skipped = unit == ' ' || unit == '\t' || (after_return && unit == '\n');
    after_return = unit == '\r';
    if (!skipped)
      window.take(after_return ? u'\n' : unit);
  }
  window.take(kEnd);
  window.flush();
  return std::move(window.hashes);
}

} // namespace gputest::report
