// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/schedules/results.h"

#include "model/files.h"
#include "model/names.h"
#include "model/shell.h"
#include "model/sites_json.h"
#include "model/text/plural.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::model {

static constexpr auto fields_of(const DifferingElement*) {
  using T = DifferingElement;
  return std::tuple{field("index", &T::index), field("path", &T::path),
                    field("launched", &T::launched), field("scheduled", &T::scheduled)};
}
static constexpr auto fields_of_finding() {
  using T = ScheduleFinding;
  return std::tuple{field("kind", &T::kind),         field("message", &T::message),
                    field("buffer", &T::buffer),     field("differing", &T::differing),
                    field("compared", &T::compared), field("elements", &T::elements),
                    field("order", &T::order),       field("groups", &T::groups),
                    field("items", &T::items),       field("file", &T::file)};
}
static constexpr auto fields_of_place() {
  using T = ScheduleFinding;
  return std::tuple{field("file", &T::place_file), field("line", &T::line),
                    field("column", &T::column), field("text", &T::place_text)};
}
void to_json(Json& json, const ScheduleFinding& finding) {
  write_fields(json, finding, fields_of_finding());
  json["place"] = nullptr;
  if (finding.line != 0)
    write_fields(json["place"], finding, fields_of_place());
}
void from_json(const Json& json, ScheduleFinding& finding) {
  read_fields(json, finding, fields_of_finding());
  if (const auto place = optional<Json>(json, "place"))
    read_fields(*place, finding, fields_of_place());
}
static constexpr auto fields_of_case() {
  using T = ScheduledCase;
  return std::tuple{field("name", &T::name),
                    field("verdict", &T::verdict),
                    field("message", &T::message),
                    field("schedules", &T::schedules),
                    field<Presence::IfNotPlain>("not_run", &T::not_run),
                    field("runs", &T::runs),
                    field("seconds", &T::seconds),
                    field("findings", &T::findings)};
}
void to_json(Json& json, const ScheduledCase& scheduled) {
  write_fields(json, scheduled, fields_of_case());
}
void from_json(const Json& json, ScheduledCase& scheduled) {
  read_fields(json, scheduled, fields_of_case());
}
static constexpr auto fields_of(const Schedules*) {
  using T = Schedules;
  return std::tuple{
      field("name", &T::name),         field("kernel", &T::kernel),
      field("device", &T::device),     field("source", &T::source),
      field("strategy", &T::strategy), field("schedules", &T::count),
      field("repeat", &T::repeat),     field("seed", &T::seed),
      field("cases", &T::cases),       field("not_remapped", &T::not_remapped),
      field("notes", &T::notes),       field<Presence::IfNotPlain>("content", &T::content)};
}

bool holds(const ScheduledCase& scheduled) {
  return scheduled.verdict <= ScheduleVerdict::WithinTolerance;
}

std::string strategy_text(const std::string& strategy, std::size_t count) {
  const std::string_view orders = count == 1 ? "order" : "orders";
  if (strategy == "all")
    return fmt::format("all: {} {} each of permute and serial, 2 of reverse, up to 10 of first",
                       count, orders);
  if (strategy == "permute" || strategy == "serial")
    return fmt::format("{}: {} {} of each case", strategy, count, orders);
  return strategy;
}

std::string not_run_text(const Schedules& schedules) {
  std::uint64_t left = 0;
  for (const ScheduledCase& scheduled : schedules.cases)
    left += scheduled.not_run;
  return left == 0 ? ""
                   : fmt::format("{} order{} not run: the time limit was over", left,
                                 left == 1 ? "" : "s");
}

std::string text_of(const ScheduleFinding& finding, const std::filesystem::path& folder) {
  std::string text = fmt::format("  {}: {}\n", name_of(finding.kind), finding.message);
  if (finding.line != 0)
    text +=
        fmt::format("    {}:{}:{}{}\n", finding.place_file, finding.line, finding.column,
                    finding.place_text.empty() ? "" : fmt::format(": '{}'", finding.place_text));
  if (!finding.buffer.empty())
    text += fmt::format("    '{}' differs in {} of {}:\n", finding.buffer, finding.differing,
                        plural(finding.compared, "value"));
  for (const DifferingElement& element : finding.elements)
    text += fmt::format("      {}[{}]{}: {} as launched, {} in this order\n", finding.buffer,
                        element.index, element.path, element.launched, element.scheduled);
  if (finding.differing > finding.elements.size())
    text += fmt::format("      and {} more\n", finding.differing - finding.elements.size());
  if (!finding.order.empty())
    text += fmt::format("    order: {}\n", finding.order);
  if (!finding.file.empty())
    text +=
        fmt::format("    replay: {}\n", replay_command((folder / finding.file).lexically_normal()));
  return text;
}

std::string text_of(const ScheduledCase& scheduled, const std::filesystem::path& folder) {
  std::string text = fmt::format("{}: {}", name_of(scheduled.verdict), scheduled.name);
  text += fmt::format(" ({} schedule{}, {}{} runs, {:.2f} s)\n", scheduled.schedules,
                      scheduled.schedules == 1 ? "" : "s",
                      scheduled.not_run > 0 ? fmt::format("{} not run, ", scheduled.not_run) : "",
                      scheduled.runs, scheduled.seconds);
  if (!scheduled.message.empty())
    text += fmt::format("  {}\n", scheduled.message);
  for (const ScheduleFinding& finding : scheduled.findings)
    text += text_of(finding, folder);
  return text;
}

void merge(ScheduledCase& scheduled, const ScheduledCase& part) {
  if (part.verdict > scheduled.verdict) {
    scheduled.verdict = part.verdict;
    scheduled.message = part.message;
  }
  // A fault of the launch as it is, or of the case, does not depend on orders, so only one part
  // reports it.
  if (scheduled.verdict == ScheduleVerdict::Failed ||
      scheduled.verdict == ScheduleVerdict::InvalidCase) {
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
  scheduled.not_run += part.not_run;
  scheduled.runs += part.runs;
  scheduled.seconds += part.seconds;
}

Json to_json(const Schedules& schedules) {
  Json json{{"format", kSchedulesFormat}};
  write_fields(json, schedules, fields_of(&schedules));
  return json;
}

Schedules schedules_from_json(const Json& json) {
  expect_format(json, kSchedulesFormat);
  return json.get<Schedules>();
}

Schedules read_schedules(const std::filesystem::path& file) {
  return read_json_file(file, schedules_from_json);
}

void write_schedules(const Schedules& schedules, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(schedules)));
}

} // namespace gputest::model
