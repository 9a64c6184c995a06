// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/painter.h"
#include "report/common/text.h"
#include "report/schedules/report.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::report {
namespace {

std::string findings_text(const ScheduledResult& result, const Painter& paint) {
  const model::Schedules& schedules = result.schedules;
  std::string text;
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    text += fmt::format("{}:{}:{}: {}: {} cannot be remapped: {}\n", clean(entry.file), entry.line,
                        entry.column, paint(Style::Red, "error"), clean(entry.construct),
                        clean(entry.reason));
  for (const std::string& note : schedules.notes)
    text += fmt::format("{}: note: {}\n", clean(label_of(schedules)), clean(note));
  if (const std::string left = model::not_run_text(schedules); !left.empty())
    text += fmt::format("{}: {}\n", clean(label_of(schedules)), paint(Style::Yellow, left));
  for (const model::ScheduledCase& scheduled : schedules.cases) {
    if (scheduled.verdict == model::ScheduleVerdict::Held)
      continue;
    text += fmt::format("{}: case '{}': {}\n", clean(label_of(schedules)), clean(scheduled.name),
                        paint(holds(scheduled) ? Style::Yellow : Style::Red,
                              std::string(model::name_of(scheduled.verdict))));
    if (!scheduled.message.empty())
      text += "  " + clean(scheduled.message) + "\n";
    for (const model::ScheduleFinding& finding : scheduled.findings) {
      const std::string described = model::text_of(finding, result.folder);
      for (const std::string_view line : split_lines(described))
        text += clean(line) + "\n";
    }
  }
  return text;
}

} // namespace

std::string schedules_terminal(const SchedulesReport& report, bool colour,
                               std::optional<std::size_t> columns) {
  const Painter paint(colour);
  std::size_t width = 6;
  for (const ScheduledResult& result : report.kernels)
    width = std::max(width, width_of(clean(label_of(result.schedules))));
  constexpr std::size_t kOthers = 37; // columns besides the label
  if (columns)
    width = std::min(width, std::max<std::size_t>(10, *columns - std::min(*columns, kOthers)));
  std::string text = fmt::format("{}\n\n{}{}  {:>5}  {:>9}  {:>6}  strategy\n",
                                 paint(Style::Bold, clean(report.title)), "kernel",
                                 padding("kernel", width), "hold", "schedules", "runs");
  std::string findings;
  for (const ScheduledResult& result : report.kernels) {
    const model::Schedules& schedules = result.schedules;
    const std::string label = elide_middle(clean(label_of(schedules)), width);
    std::uint64_t tried = 0, runs = 0;
    for (const model::ScheduledCase& scheduled : schedules.cases) {
      tried += scheduled.schedules;
      runs += scheduled.runs;
    }
    const auto held = std::ranges::count_if(
        schedules.cases, [](const model::ScheduledCase& one) { return holds(one); });
    const std::string cell =
        fmt::format("{:>5}", fmt::format("{}/{}", held, schedules.cases.size()));
    text += fmt::format("{}{}  {}  {:>9}  {:>6}  {}\n", label, padding(label, width),
                        paint(holds(schedules) ? Style::Green : Style::Red, cell), tried, runs,
                        clean(schedules.strategy));
    findings += findings_text(result, paint);
  }
  return text + (findings.empty() ? "" : "\n" + findings);
}

} // namespace gputest::report
