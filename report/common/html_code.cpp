// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/html_code.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::report {
namespace {

constexpr unsigned kContext = 3; // lines shown around a gap

constexpr std::array kTokenClasses{"", "k", "t", "b", "m", "s", "c", "p"}; // by Token

// For each byte, 0 or the class number of a mark. Errors take precedence over missing outcomes.
std::vector<char> marks_of(const std::vector<Mark>& marks, const std::string& text) {
  const std::size_t size = text.size(), indent = std::min(text.find_first_not_of(" \t"), size);
  std::vector<char> marked(size, 0);
  for (const Mark& mark : marks) {
    const char value = mark.severity == Severity::Error ? 2 : 1;
    for (std::size_t i = std::max(mark.begin, indent); i < std::min(mark.end, size); ++i)
      marked[i] = std::max(marked[i], value);
  }
  return marked;
}

} // namespace

std::string anchor_of(std::size_t file, unsigned line) {
  return fmt::format("f{}-L{}", file, line);
}

const char* level_of(const model::Tally& tally) {
  const auto percent = tally.percent();
  if (!percent)
    return "nothing";
  return tally.covered == tally.total ? "full" : *percent >= 75 ? "fair" : "poor";
}

std::string bar(const model::Tally& tally) {
  return fmt::format(
      "<span class=\"bar {}\" aria-hidden=\"true\"><span style=\"width:{:.1f}%\"></span></span>",
      level_of(tally), tally.percent().value_or(0));
}

// One <span> for each run of bytes of the same token kind and mark.
void begin_source_table(std::string_view counted, Out out) {
  fmt::format_to(out,
                 "<table class=\"source\"><colgroup><col class=\"n\"><col class=\"c\"><col>"
                 "</colgroup><thead class=\"sr\"><tr><th>Line</th><th>{}</th>"
                 "<th>Source</th></tr></thead><tbody>\n",
                 counted);
}

void write_code(const std::string& text, const std::vector<Token>& tokens,
                const std::vector<Mark>& marks, Out out) {
  const std::vector<char> marked = marks_of(marks, text);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    while (end < text.size() && tokens[end] == tokens[begin] && marked[end] == marked[begin])
      ++end;
    const std::string piece = escape(std::string_view(text).substr(begin, end - begin));
    const char* token = kTokenClasses[static_cast<std::size_t>(tokens[begin])];
    const char* mark = marked[begin] == 0 ? "" : marked[begin] == 2 ? "ue" : "um";
    if (*token == '\0' && *mark == '\0')
      fmt::format_to(out, "{}", piece);
    else
      fmt::format_to(out, "<span class=\"{}{}{}\">{}</span>", token,
                     *token != '\0' && *mark != '\0' ? " " : "", mark, piece);
  }
}

std::vector<bool> lines_near(const std::vector<unsigned>& gaps, std::size_t line_count) {
  std::vector<bool> near(line_count + 1, false);
  for (const unsigned number : gaps)
    for (std::size_t i = number > kContext ? number - kContext : 1;
         i <= std::min<std::size_t>(std::size_t{number} + kContext, line_count); ++i)
      near[i] = true;
  return near;
}

void write_fold(const std::vector<bool>& near, std::size_t number, std::string_view what, Out out) {
  std::size_t end = number;
  while (end < near.size() && !near[end])
    ++end;
  fmt::format_to(out, "<tr class=\"fold\"><td colspan=\"3\">{} {}</td></tr>\n",
                 plural(end - number, "line"), what);
}

} // namespace gputest::report
