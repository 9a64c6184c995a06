// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/finding.h"

#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::model {

std::string place_text(const CodePlace& place) {
  return place.line == 0 ? "an unknown place"
                         : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string text_of(const Finding& finding) {
  const std::string text = fmt::format("{} [{}]", finding.message, finding.kind);
  return finding.site.line == 0 ? text
                                : fmt::format("{}: error: {}", place_text(finding.site), text);
}

namespace {

constexpr const char *kRace = "race", *kSameValue = "race_same_value";

} // namespace

std::string pair_of(const Finding& finding) {
  const auto [first, second] = std::minmax({std::pair(finding.site.file, finding.site.line),
                                            std::pair(finding.other.file, finding.other.line)});
  return fmt::format("{} {}:{} {}:{}{}{}", finding.kind == kSameValue ? kRace : finding.kind,
                     first.first, first.second, second.first, second.second,
                     finding.object.empty() ? "" : " ", finding.object);
}

bool absorb(Finding& finding, const Finding& again) {
  const std::uint64_t count = finding.count + again.count;
  const bool worse = finding.kind == kSameValue && again.kind == kRace;
  if (worse)
    finding = again;
  finding.count = count;
  return worse;
}

void to_json(Json& json, const Finding& finding) {
  json = {{"kind", finding.kind},       {"file", finding.site.file},
          {"line", finding.site.line},  {"column", finding.site.column},
          {"message", finding.message}, {"count", finding.count}};
  if (finding.other != CodePlace())
    json.update({{"other_file", finding.other.file},
                 {"other_line", finding.other.line},
                 {"other_column", finding.other.column}});
  if (!finding.object.empty())
    json["object"] = finding.object;
  if (!finding.cause.empty())
    json["cause"] = finding.cause;
  if (finding.fatal)
    json["fatal"] = true;
  if (finding.schedule)
    json["schedule"] = *finding.schedule;
}

void from_json(const Json& json, Finding& finding) {
  finding = {.kind = required<std::string>(json, "kind")};
  finding.site = {required<std::string>(json, "file"), required<unsigned>(json, "line"),
                  required<unsigned>(json, "column")};
  finding.message = required<std::string>(json, "message");
  finding.count = required<std::uint64_t>(json, "count");
  if (json.contains("other_file"))
    finding.other = {required<std::string>(json, "other_file"),
                     required<unsigned>(json, "other_line"),
                     required<unsigned>(json, "other_column")};
  finding.object = optional<std::string>(json, "object").value_or("");
  finding.cause = optional<std::string>(json, "cause").value_or("");
  finding.fatal = optional<bool>(json, "fatal").value_or(false);
  if (const auto schedule = json.find("schedule"); schedule != json.end())
    finding.schedule = schedule->get<Schedule>();
}

} // namespace gputest::model
