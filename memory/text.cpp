// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/text.h"

#include "ir/words.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::memory {
namespace {

constexpr std::size_t kMostRanges = 4;

const char* access_name(Reference::Kind kind) {
  switch (kind) {
  case Reference::Kind::Read:
    return "read";
  case Reference::Kind::Write:
    return "write";
  case Reference::Kind::Atomic:
    return "atomic";
  }
  return "";
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.0f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

} // namespace

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string grouped(std::int64_t number) {
  return number < 0 ? "-" + grouped(static_cast<std::uint64_t>(-number))
                    : grouped(static_cast<std::uint64_t>(number));
}

std::string short_number(double number) {
  const double rounded = std::round(number * 10) / 10;
  return rounded == std::floor(rounded) ? fmt::format("{:.0f}", rounded)
                                        : fmt::format("{:.1f}", rounded);
}

std::string sets_text(const std::set<std::uint64_t>& sets) {
  std::vector<std::string> ranges;
  for (auto first = sets.begin(); first != sets.end();) {
    auto last = first;
    while (std::next(last) != sets.end() && *std::next(last) == *last + 1)
      ++last;
    ranges.push_back(*first == *last ? fmt::format("{}", *first)
                                     : fmt::format("{}-{}", *first, *last));
    first = std::next(last);
  }
  if (ranges.size() > kMostRanges)
    return fmt::format("{} cache sets from {} to {}", sets.size(), *sets.begin(), *sets.rbegin());
  return fmt::format("cache set{} {}", sets.size() == 1 ? "" : "s", fmt::join(ranges, ", "));
}

std::string place_text(const PlaceCount& place) {
  const Reference& at = place.reference;
  return at.line == 0 ? "an unknown place" : fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

std::string variable_text(const PlaceCount& place) {
  return place.variable.empty()
             ? "several variables"
             : fmt::format("{}'{}'", place.image ? "image " : "", place.variable);
}

std::string accesses_text(const PlaceCount& place) {
  const char* const what = place.reference.kind == Reference::Kind::Read    ? "reads"
                           : place.reference.kind == Reference::Kind::Write ? "writes"
                                                                            : "atomic updates";
  return fmt::format("{} of {}", what, variable_text(place));
}

std::string warnings_text(const CaseReport& report) {
  std::string text;
  for (const Warning& warning : report.warnings) {
    text += fmt::format("{}: warning: memory: {}\n  because: {}\n",
                        place_text(report.places[warning.place]), warning.message, warning.because);
    std::string what_ifs;
    for (const std::size_t index : warning.what_ifs)
      what_ifs += fmt::format("{}{}: {:+.1f} % cycles", what_ifs.empty() ? "" : "; ",
                              report.what_ifs[index].text, -report.what_ifs[index].gain_percent);
    if (!what_ifs.empty())
      text += fmt::format("  what if: {}\n", what_ifs);
  }
  return text;
}

std::string notes_text(const CaseReport& report) {
  std::string text;
  for (const PlaceCount& place : report.places)
    if (place.address_unknown)
      text +=
          fmt::format("{}: note: memory: it shows only when the kernel runs which of many places "
                      "{} access; what is said of them holds for this case\n",
                      place_text(place), accesses_text(place));
  return text;
}

void say_in_words_of(model::Language language, CaseReport& report) {
  const auto say = [&](std::string& text) { text = ir::in_words_of(language, std::move(text)); };
  for (Warning& warning : report.warnings) {
    say(warning.message);
    say(warning.because);
  }
  for (WhatIf& what : report.what_ifs)
    say(what.text);
  say(report.condition);
}

std::string schedule_text(const CaseReport& report) {
  using Kind = WarpChoice::Kind;
  const Kind kind = report.choice.kind;
  std::string text(model::name_of(kind));
  if (kind == Kind::Random || kind == Kind::Priorities || kind == Kind::Guided)
    text += fmt::format(" {}", report.choice.seed);
  if (kind == Kind::Phases)
    text = fmt::format("{} phases of others", report.choice.phases.size());
  if (report.schedules_tried > 1)
    text += fmt::format(" (the worst of {} schedules)", report.schedules_tried);
  return text;
}

std::string summary_text(const CaseReport& report, const std::string& kernel, const Gpu& gpu) {
  std::string text = fmt::format("{}, case '{}' on {}, {}: {} cycles, {} instructions of warps",
                                 kernel, report.name, gpu.name, schedule_text(report),
                                 grouped(report.count.cycles), grouped(report.count.instructions));
  if (gpu.start_cycles)
    text += fmt::format(", and {} cycles to start it", grouped(*gpu.start_cycles));
  if (report.count.lost != 0)
    text += fmt::format("; {:.1f} % of the cycles are lost because warps disturb each other",
                        report.overhead_percent());
  if (report.before)
    text += fmt::format("; it begins with what a launch of '{}' has left in shared caches",
                        *report.before);
  text += "\n";
  std::size_t width = 5;
  for (const PlaceCount& place : report.places)
    width = std::max(width, place_text(place).size());
  text += fmt::format("  {:<{}}  {:<6}  {:<12}  {:>10}  {:>12}  {:>8}  {:>6}  {:>12}  {}\n",
                      "place", width, "access", "variable", "executions", "transactions", "fewest",
                      "hits", "waiting", "alone");
  for (const PlaceCount& place : report.places) {
    if (place.in_registers)
      continue;
    const ReferenceCount& count = place.count;
    text +=
        fmt::format("  {:<{}}  {:<6}  {:<12}  {:>10}  {:>12}  {:>8}  {:>6}  {:>12}  {}\n",
                    place_text(place), width, access_name(place.reference.kind),
                    place.variable.empty() ? "several" : place.variable, grouped(count.executions),
                    grouped(count.transactions), grouped(count.fewest),
                    place.on_chip ? "-" : percent(count.hits, count.hits + count.misses),
                    grouped(count.waiting), place.on_chip ? "-" : name_of(place.alone));
  }
  for (const std::size_t index : report.hints)
    text += fmt::format("what if: {}: {:+.1f} % cycles\n", report.what_ifs[index].text,
                        -report.what_ifs[index].gain_percent);
  return text;
}

} // namespace gputest::memory
