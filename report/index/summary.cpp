// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/summary.h"

#include "report/common/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::report {

Level level_of(std::optional<double> percent) {
  return !percent          ? Level::Nothing
         : *percent >= 100 ? Level::Full
         : *percent >= 75  ? Level::Fair
                           : Level::Poor;
}

namespace {

std::string beginning(const std::string& text) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::string begin(lines.front());
  if (lines.size() > 1)
    begin += " " + std::string(
                       lines[1].substr(std::min(lines[1].find_first_not_of(' '), lines[1].size())));
  return begin;
}

} // namespace

std::string first_line(const std::string& text) {
  return std::string(split_lines(text).front());
}

std::string case_text(const std::string& name, std::string_view verdict,
                      const std::string& message) {
  return fmt::format("case '{}' {}{}", name, verdict,
                     message.empty() ? "" : ": " + beginning(message));
}

std::string place_text(const std::string& file, unsigned line, unsigned column) {
  return fmt::format("{}:{}:{}", file, line, column);
}

void tell_cases(Summary& summary, std::size_t good, std::size_t all, const char* what) {
  summary.value = fmt::format("{}/{}", good, all);
  summary.detail = what;
  if (all > 0)
    summary.percent = 100.0 * static_cast<double>(good) / static_cast<double>(all);
  summary.level = all == 0 ? Level::Nothing : good == all ? Level::Full : Level::Poor;
  if (all == 0)
    summary.failures.emplace_back("no case ran");
}

} // namespace gputest::report
