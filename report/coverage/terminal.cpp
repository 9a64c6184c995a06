// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/findings.h"
#include "report/common/painter.h"
#include "report/common/text.h"
#include "report/coverage/outputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

constexpr std::size_t kWidth = 100; // columns of what is no terminal
struct Row {
  std::string label;
  std::array<model::Tally, model::kCriteria.size()> tallies;
};

Row row_of(std::string label, const model::Coverage& coverage) {
  const model::Criteria criteria = model::tally(coverage);
  Row row{.label = std::move(label), .tallies = {}};
  for (std::size_t i = 0; i < model::kCriteria.size(); ++i)
    row.tallies[i] = criteria.of(model::kCriteria[i]);
  return row;
}

// "9/10  90 %"
std::string cell(const model::Tally& tally) {
  if (tally.total == 0)
    return percent_text(tally);
  return fmt::format("{}/{} {:>5}", tally.covered, tally.total, percent_text(tally));
}

std::string table(const std::vector<Row>& rows, const Painter& paint,
                  std::optional<std::size_t> columns) {
  const std::size_t width = columns.value_or(kWidth), gap = width < kWidth ? 2 : 3;
  std::array<std::size_t, model::kCriteria.size()> widths{};
  std::size_t label_width = width_of("kernel"), taken = 0;
  for (std::size_t i = 0; i < model::kCriteria.size(); ++i) {
    widths[i] = model::name_of(model::kCriteria[i]).size();
    for (const Row& row : rows)
      widths[i] = std::max(widths[i], width_of(cell(row.tallies[i])));
    taken += widths[i] + gap;
  }
  for (const Row& row : rows)
    label_width = std::max(label_width, width_of(row.label));
  label_width = std::min(label_width, std::max<std::size_t>(8, width - std::min(width, taken)));

  std::string heading = "kernel" + padding("kernel", label_width);
  for (std::size_t i = 0; i < model::kCriteria.size(); ++i)
    heading += fmt::format("{:>{}}", model::name_of(model::kCriteria[i]), widths[i] + gap);
  std::string text = paint(Style::Bold, heading) + '\n';
  for (const Row& row : rows) {
    const std::string label = elide_middle(row.label, label_width);
    text += label + padding(label, label_width);
    for (std::size_t i = 0; i < model::kCriteria.size(); ++i) {
      const std::string value = cell(row.tallies[i]);
      text += padding(value, widths[i] + gap) + paint(style_of(row.tallies[i]), value);
    }
    text += '\n';
  }
  return text;
}

std::string place_of(const CoverageFinding& finding) {
  return fmt::format("{}:{}:{}: ", clean(finding.file), finding.line, finding.column);
}

std::string findings(const model::Coverage& coverage, const Painter& paint) {
  std::string text;
  for (const CoverageFinding& finding : findings_of(coverage)) {
    text += paint(Style::Bold, place_of(finding));
    if (finding.severity == Severity::Error)
      text += paint(Style::Red, "error: ");
    else if (finding.severity == Severity::Warning)
      text += paint(Style::Yellow, "warning: ");
    text += sentence(finding) + '\n';
  }
  return text;
}

// Returns the outcomes that can never happen, and those that comments leave out.
std::string not_counted(const model::Coverage& coverage) {
  std::string text;
  for (const model::NotCounted& entry : coverage.not_counted)
    text += fmt::format("{}:{}:{}: not counted: {} '{}': {}: {}\n", clean(entry.file), entry.line,
                        entry.column, model::name_of(entry.criterion),
                        elide_middle(clean(entry.text), 60), fmt::join(entry.outcomes, ", "),
                        clean(entry.reason));
  return text;
}

// The message after the verdict. Further lines of a message become lines here too, indented.
std::string message_text(const std::string& message) {
  if (message.empty())
    return "\n";
  std::string text = ": ";
  for (const std::string_view line : split_lines(message))
    text += (text.size() == 2 ? "" : "    ") + clean(line) + '\n';
  return text;
}

std::string failed_cases(const model::Coverage& kernel, const Painter& paint) {
  std::string text;
  for (const model::CaseRecord& record : kernel.cases)
    if (record.verdict != model::CaseVerdict::Passed)
      text += fmt::format("{}: {} case '{}' {}{}", clean(label_of(kernel)),
                          paint(Style::Red, "error:"), clean(record.name),
                          model::name_of(record.verdict), message_text(record.message));
  return text;
}

std::string summary(const Report& report) {
  const auto& cases = report.all.cases;
  const auto passed =
      std::ranges::count(cases, model::CaseVerdict::Passed, &model::CaseRecord::verdict);
  std::string text =
      fmt::format("{} test case{}, {} passed", cases.size(), cases.size() == 1 ? "" : "s", passed);
  if (!report.all.device.empty())
    text += fmt::format("; device: {}", clean(report.all.device));
  return text + '\n';
}

} // namespace

std::string terminal(const Report& report, bool colour, std::optional<std::size_t> columns) {
  const Painter paint(colour);
  std::vector<Row> rows;
  for (const model::Coverage& kernel : report.kernels)
    rows.push_back(row_of(clean(label_of(kernel)), kernel));
  if (rows.size() > 1)
    rows.push_back(row_of("all", report.all));

  std::string text = table(rows, paint, columns) + paint(Style::Dim, summary(report));
  std::string below;
  for (const MissedThreshold& missed : report.missed)
    if (!missed.label.empty()) // the command reports those of all kernels
      below += fmt::format("{}: {} {}\n", clean(missed.label), paint(Style::Red, "error:"),
                           model::text_of(missed.miss));
  for (const model::Coverage& kernel : report.kernels)
    below += failed_cases(kernel, paint);
  below += findings(report.all, paint) + not_counted(report.all);
  if (!below.empty())
    text += '\n' + below;
  return text;
}

} // namespace gputest::report
