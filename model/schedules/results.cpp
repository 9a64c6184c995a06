#include "model/schedules/results.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace gputest::model {
namespace {

constexpr std::array<std::string_view, 9> kFindingKinds{
    "between groups", "overlapping groups", "within groups", "waits", "out of bounds", "crash",
    "timeout",        "interleaving",       "invalid case"};

ScheduleFinding finding_from_json(const Json& json) {
  ScheduleFinding finding;
  finding.kind = required_named(json, "kind", finding_kind_named);
  finding.message = required<std::string>(json, "message");
  finding.buffer = required<std::string>(json, "buffer");
  finding.differing = required<std::uint64_t>(json, "differing");
  finding.compared = required<std::uint64_t>(json, "compared");
  for (const Json& element : required_array(json, "elements"))
    finding.elements.push_back({.index = required<std::uint64_t>(element, "index"),
                                .path = required<std::string>(element, "path"),
                                .launched = required<std::string>(element, "launched"),
                                .scheduled = required<std::string>(element, "scheduled")});
  finding.order = required<std::string>(json, "order");
  finding.groups = required<std::vector<std::uint32_t>>(json, "groups");
  finding.items = required<std::vector<std::uint32_t>>(json, "items");
  finding.file = required<std::string>(json, "file");
  if (const auto place = optional<Json>(json, "place")) {
    finding.place_file = required<std::string>(*place, "file");
    finding.line = required<unsigned>(*place, "line");
    finding.column = required<unsigned>(*place, "column");
    finding.place_text = required<std::string>(*place, "text");
  }
  return finding;
}

} // namespace

// Not in the unnamed namespace, where list_of() would not find them.
static Json to_json(const ScheduleFinding& finding) {
  Json json{{"kind", name_of(finding.kind)},
            {"message", finding.message},
            {"buffer", finding.buffer},
            {"differing", finding.differing},
            {"compared", finding.compared},
            {"elements", Json::array()},
            {"order", finding.order},
            {"groups", finding.groups},
            {"items", finding.items},
            {"file", finding.file},
            {"place", nullptr}};
  for (const DifferingElement& element : finding.elements)
    json["elements"].push_back({{"index", element.index},
                                {"path", element.path},
                                {"launched", element.launched},
                                {"scheduled", element.scheduled}});
  if (finding.line != 0)
    json["place"] = {{"file", finding.place_file},
                     {"line", finding.line},
                     {"column", finding.column},
                     {"text", finding.place_text}};
  return json;
}

std::string file_name_of(std::string_view label) {
  std::string name(label);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
      c = '_';
  return name;
}

std::string_view name_of(FindingKind kind) {
  return kFindingKinds[static_cast<std::size_t>(kind)];
}

std::optional<FindingKind> finding_kind_named(std::string_view name) {
  return enumerator_named<FindingKind>(kFindingKinds, name);
}

std::string text_of(const ScheduleFinding& finding, const std::filesystem::path& folder) {
  std::string text = fmt::format("  {}: {}\n", name_of(finding.kind), finding.message);
  if (finding.line != 0)
    text +=
        fmt::format("    {}:{}:{}{}\n", finding.place_file, finding.line, finding.column,
                    finding.place_text.empty() ? "" : fmt::format(": '{}'", finding.place_text));
  if (!finding.buffer.empty())
    text += fmt::format("    '{}' differs in {} of {} values:\n", finding.buffer, finding.differing,
                        finding.compared);
  for (const DifferingElement& element : finding.elements)
    text += fmt::format("      {}[{}]{}: {} as launched, {} in this order\n", finding.buffer,
                        element.index, element.path, element.launched, element.scheduled);
  if (finding.differing > finding.elements.size())
    text += fmt::format("      and {} more\n", finding.differing - finding.elements.size());
  if (!finding.order.empty())
    text += fmt::format("    order: {}\n", finding.order);
  if (!finding.file.empty())
    text += fmt::format("    replay: gputest replay {}\n",
                        (folder / finding.file).lexically_normal().string());
  return text;
}

std::string text_of(const ScheduledCase& scheduled, const std::filesystem::path& folder) {
  std::string text = fmt::format("{}: {}", scheduled.verdict, scheduled.name);
  text += fmt::format(" ({} schedule{}, {} runs, {:.2f} s)\n", scheduled.schedules,
                      scheduled.schedules == 1 ? "" : "s", scheduled.runs, scheduled.seconds);
  if (!scheduled.message.empty())
    text += fmt::format("  {}\n", scheduled.message);
  for (const ScheduleFinding& finding : scheduled.findings)
    text += text_of(finding, folder);
  return text;
}

void merge(ScheduledCase& scheduled, const ScheduledCase& part) {
  constexpr std::array kGravest{"error",           "failed",           "invalid case",
                                "order dependent", "within tolerance", "held"};
  const auto rank = [&](const std::string& verdict) {
    return std::ranges::find(kGravest, verdict) - kGravest.begin();
  };
  if (rank(part.verdict) < rank(scheduled.verdict)) {
    scheduled.verdict = part.verdict;
    scheduled.message = part.message;
  }
  // A fault of the launch as it is, or of the case, does not depend on orders, so only one part
  // reports it.
  if (scheduled.verdict == "failed" || scheduled.verdict == "invalid case") {
    if (scheduled.verdict == part.verdict)
      scheduled.findings = part.findings;
  } else {
    for (const ScheduleFinding& finding : part.findings)
      if (std::ranges::none_of(scheduled.findings, [&](const ScheduleFinding& known) {
            return known.kind == finding.kind && known.buffer == finding.buffer;
          }))
        scheduled.findings.push_back(finding);
  }
  scheduled.schedules += part.schedules;
  scheduled.runs += part.runs;
  scheduled.seconds += part.seconds;
}

Json to_json(const ScheduledCase& scheduled) {
  return {{"name", scheduled.name},
          {"verdict", scheduled.verdict},
          {"message", scheduled.message},
          {"schedules", scheduled.schedules},
          {"runs", scheduled.runs},
          {"seconds", scheduled.seconds},
          {"findings", list_of(scheduled.findings)}};
}

ScheduledCase scheduled_case_from_json(const Json& json) {
  ScheduledCase scheduled;
  scheduled.name = required<std::string>(json, "name");
  scheduled.verdict = required<std::string>(json, "verdict");
  scheduled.message = required<std::string>(json, "message");
  scheduled.schedules = required<std::uint64_t>(json, "schedules");
  scheduled.runs = required<std::uint64_t>(json, "runs");
  scheduled.seconds = required<double>(json, "seconds");
  scheduled.findings = required_list(json, "findings", finding_from_json);
  return scheduled;
}

Json to_json(const Schedules& schedules) {
  Json json{{"format", kSchedulesFormat},
            {"name", schedules.name},
            {"kernel", schedules.kernel},
            {"device", schedules.device},
            {"source", schedules.source},
            {"strategy", schedules.strategy},
            {"schedules", schedules.count},
            {"repeat", schedules.repeat},
            {"seed", schedules.seed},
            {"cases", list_of(schedules.cases)},
            {"not_remapped", list_of(schedules.not_remapped)},
            {"notes", schedules.notes}};
  if (!schedules.content.empty())
    json["content"] = schedules.content;
  return json;
}

Schedules schedules_from_json(const Json& json) {
  expect_format(json, kSchedulesFormat);
  Schedules schedules;
  schedules.name = required<std::string>(json, "name");
  schedules.kernel = required<std::string>(json, "kernel");
  schedules.device = required<std::string>(json, "device");
  schedules.source = required<std::string>(json, "source");
  schedules.strategy = required<std::string>(json, "strategy");
  schedules.count = required<unsigned>(json, "schedules");
  schedules.repeat = required<unsigned>(json, "repeat");
  schedules.seed = required<std::uint64_t>(json, "seed");
  schedules.cases = required_list(json, "cases", scheduled_case_from_json);
  schedules.not_remapped = required_list(json, "not_remapped", not_instrumented_from_json);
  schedules.notes = required<std::vector<std::string>>(json, "notes");
  schedules.content = optional<std::string>(json, "content").value_or("");
  return schedules;
}

Schedules read_schedules(const std::filesystem::path& file) {
  return read_json_file(file, schedules_from_json);
}

void write_schedules(const Schedules& schedules, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(schedules)));
}

} // namespace gputest::model
