// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/output_baseline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace gputest::program {
namespace {

// Words of lines about time and speed. Units alone say so only behind a number or a '/'.
constexpr std::array<std::string_view, 23> kWordsOfTime{
    "time",       "times",     "timing",  "timer",       "elapsed",     "took",
    "duration",   "second",    "seconds", "sec",         "secs",        "msec",
    "usec",       "nsec",      "fps",     "millisecond", "speedup",     "gflops",
    "throughput", "bandwidth", "mflops",  "tflops",      "milliseconds"};
constexpr std::array<std::string_view, 6> kUnits{"s", "ms", "us", "ns", "hz", "gflop"};

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}
bool is_letter(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool is_space(char letter) {
  return std::isspace(static_cast<unsigned char>(letter)) != 0;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Returns the end of the number that begins at `at`: "12", "1.5e-3", "0x7f00".
std::size_t end_of_number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto digits = [&](auto is) {
    while (end < text.size() && is(text[end]))
      ++end;
  };
  if (text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X")) {
    end += 2;
    digits([](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
    return end;
  }
  digits(is_digit);
  if (end < text.size() && text[end] == '.') {
    ++end;
    digits(is_digit);
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t sign = end + 1;
    if (sign < text.size() && (text[sign] == '-' || text[sign] == '+'))
      ++sign;
    if (sign < text.size() && is_digit(text[sign])) {
      end = sign;
      digits(is_digit);
    }
  }
  return end;
}

// The last line needs no end.
std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_number(const std::string& part) {
  return is_digit(part.front()) || (part.front() == '.' && part.size() > 1 && is_digit(part[1]));
}

} // namespace

// Splits a line into numbers, words and other letters. Spaces count once, and not at the ends.
OutputBaseline::Line OutputBaseline::line_of(std::string_view text) {
  Line line{.text = std::string(text), .parts = {}};
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (is_space(text[at])) {
      while (end < text.size() && is_space(text[end]))
        ++end;
      if (at > 0 && end < text.size())
        line.parts.push_back({" "});
      at = end;
      continue;
    }
    if (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1])))
      end = end_of_number(text, at);
    else if (is_letter(text[at]))
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end])))
        ++end;
    else
      ++end;
    line.parts.push_back({std::string(text.substr(at, end - at))});
    at = end;
  }
  bool is_about_time = false;
  std::string before;
  for (const Part& part : line.parts) {
    const std::string word = lower_case(part.text);
    is_about_time = is_about_time || std::ranges::find(kWordsOfTime, word) != kWordsOfTime.end() ||
                    (std::ranges::find(kUnits, word) != kUnits.end() && !before.empty() &&
                     (is_number(before) || before == "/"));
    if (part.text != " ")
      before = part.text;
  }
  for (Part& part : line.parts)
    part.is_compared = !is_about_time || !is_number(part.text);
  return line;
}

void OutputBaseline::add(std::string_view text) {
  const std::vector<std::string_view> lines = lines_in(text);
  if (std::exchange(is_first_, false)) {
    for (const std::string_view line : lines)
      lines_.push_back(line_of(line));
    return;
  }
  varies_in_lines_ = varies_in_lines_ || lines.size() != lines_.size();
  for (std::size_t i = 0; i < std::min(lines.size(), lines_.size()); ++i) {
    Line& known = lines_[i];
    const Line other = line_of(lines[i]);
    known.is_compared = known.is_compared && other.parts.size() == known.parts.size();
    if (!known.is_compared)
      continue;
    for (std::size_t k = 0; k < other.parts.size(); ++k) {
      if (known.parts[k].text == other.parts[k].text)
        continue;
      known.parts[k].is_compared = false;
      if (!is_number(known.parts[k].text) || !is_number(other.parts[k].text))
        known.is_compared = false;
    }
  }
}

std::string OutputBaseline::difference(std::string_view text) const {
  const std::vector<std::string_view> lines = lines_in(text);
  for (std::size_t i = 0; i < std::min(lines.size(), lines_.size()); ++i) {
    const Line& known = lines_[i];
    if (!known.is_compared)
      continue;
    const Line other = line_of(lines[i]);
    const auto is_same = [](const Part& part, const Part& given) {
      return part.is_compared ? part.text == given.text : is_number(given.text);
    };
    if (!std::ranges::equal(known.parts, other.parts, is_same))
      return fmt::format("line {} is '{}' instead of '{}'", i + 1, shown_line(other.text),
                         shown_line(known.text));
  }
  if (lines.size() != lines_.size())
    return fmt::format("it has {} line{} instead of {}", lines.size(), lines.size() == 1 ? "" : "s",
                       lines_.size());
  return "";
}

std::string shown_line(std::string_view line) {
  constexpr std::size_t kLongest = 80;
  std::string text;
  for (const char letter : line.substr(0, kLongest))
    text += std::iscntrl(static_cast<unsigned char>(letter)) != 0 ? ' ' : letter;
  // Not in the middle of a letter of several bytes.
  while (line.size() > kLongest && !text.empty() && (text.back() & 0x80) != 0)
    text.pop_back();
  return line.size() > kLongest ? text + "…" : text;
}

std::string last_line(std::string_view text) {
  const std::vector<std::string_view> lines = lines_in(text);
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [](std::string_view line) {
    return line.find_first_not_of(" \t\r") != std::string_view::npos;
  });
  return last == lines.rend() ? "" : shown_line(*last);
}

} // namespace gputest::program
