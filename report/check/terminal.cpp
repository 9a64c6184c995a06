// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shell.h"
#include "model/suppressions/suppressions.h"
#include "report/check/report.h"
#include "report/common/painter.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::report {
namespace {

std::string finding_text(const model::CheckedFinding& found, const Painter& paint) {
  const model::Finding& finding = found.finding;
  std::string text;
  if (finding.site.line != 0)
    text += paint(Style::Bold, clean(model::place_text(finding.site)) + ":") + ' ';
  return text + paint(Style::Red, "error:") + ' ' + clean(finding.message) +
         fmt::format("\n  in {} {}\n", found.cases.size() == 1 ? "case" : "cases",
                     clean(fmt::format("{}", fmt::join(found.cases, ", "))));
}

std::string findings_text(const CheckedKernel& kernel, const Painter& paint) {
  const model::CheckResults& results = kernel.results;
  std::string text;
  for (const model::CheckedCase& checked : results.cases)
    if (checked.verdict != model::CaseVerdict::Passed)
      text += fmt::format("{}: {} case '{}': {}{}\n", clean(label_of(results)),
                          paint(Style::Red, "error:"), clean(checked.name),
                          model::name_of(checked.verdict),
                          checked.message.empty() ? "" : ": " + clean(checked.message));
  for (const FindingsOfCause& group : by_cause(results.findings)) {
    text += finding_text(*group.first, paint);
    if (!group.others.empty())
      text += fmt::format("  note: {} more: {}\n", group.others.size(),
                          clean(group.first->finding.cause));
    if (!group.first->replay.empty())
      text += fmt::format("  replay: {}\n",
                          clean(model::replay_command(kernel.folder / group.first->replay)));
  }
  for (const model::SuppressedFinding& one : results.suppressed)
    text +=
        fmt::format("{}: {} {}\n  by {}{}\n", clean(model::place_text(one.found.finding.site)),
                    paint(Style::Dim, "suppressed:"), clean(one.found.finding.message),
                    clean(one.by.place), one.by.reason.empty() ? "" : ": " + clean(one.by.reason));
  return text;
}

} // namespace

std::string check_terminal(const CheckReport& report, bool colour,
                           std::optional<std::size_t> columns) {
  const Painter paint(colour);
  std::size_t width = 6, findings = 0, suppressed = 0;
  for (const CheckedKernel& kernel : report.kernels) {
    width = std::max(width, width_of(clean(label_of(kernel.results))));
    findings += kernel.results.findings.size();
    suppressed += kernel.results.suppressed.size();
  }
  constexpr std::size_t kNumbers = 19, kFewest = 10; // columns of numbers, and of others
  const std::size_t whole = columns ? std::max(*columns, kNumbers) : std::string::npos;
  width = std::min(width, std::max(kFewest, (whole - kNumbers) / 2));
  const std::size_t rest = std::max(kFewest, whole - std::min(whole, width + kNumbers));
  std::string text =
      fmt::format("{}\n\n{}{}  {:>5}  {:>8}  checks\n", paint(Style::Bold, clean(report.title)),
                  "kernel", padding("kernel", width), "hold", "findings");
  std::string below;
  for (const CheckedKernel& kernel : report.kernels) {
    const model::CheckResults& results = kernel.results;
    const std::string label = elide_middle(clean(label_of(results)), width);
    const auto held = std::ranges::count_if(
        results.cases, [](const model::CheckedCase& one) { return holds(one); });
    const Style style = holds(results) ? Style::Green : Style::Red;
    text += fmt::format(
        "{}{}  {}  {}  {}\n", label, padding(label, width),
        paint(style, fmt::format("{:>5}", fmt::format("{}/{}", held, results.cases.size()))),
        paint(style, fmt::format("{:>8}", results.findings.size())),
        elide_middle(clean(fmt::format("{}", fmt::join(results.checks, ", "))), rest));
    below += findings_text(kernel, paint);
  }
  text += fmt::format("{} checked, {}{}\n", plural(report.kernels.size(), "kernel"),
                      plural(findings, "finding"), model::suppressed_text(suppressed));
  for (const std::string& place : unused_suppressions(report))
    below +=
        fmt::format("{}: note: this entry matches no finding of these results\n", clean(place));
  return text + (below.empty() ? "" : "\n" + below);
}

} // namespace gputest::report
