// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/schedules_css.h"
#include "embedded/schedules_page_html.h"
#include "model/names.h"
#include "model/shell.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/kernel_links.h"
#include "report/common/text.h"
#include "report/schedules/report.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::report {
namespace {

using model::FindingKind;
using model::ScheduledCase;
using model::ScheduleFinding;

constexpr std::size_t kUnfolded = 8; // cases that hold

std::string cards(const SchedulesReport& report) {
  std::uint64_t cases = 0, held = 0, between = 0, within = 0, waits = 0, invalid = 0, other = 0;
  for (const ScheduledResult& result : report.kernels)
    for (const ScheduledCase& scheduled : result.schedules.cases) {
      ++cases;
      held += holds(scheduled) ? 1 : 0;
      for (const ScheduleFinding& finding : scheduled.findings)
        ++(finding.kind == FindingKind::BetweenGroups || finding.kind == FindingKind::Overlapping
               ? between
           : finding.kind == FindingKind::WithinGroups ? within
           : finding.kind == FindingKind::Waits        ? waits
           : finding.kind == FindingKind::InvalidCase  ? invalid
                                                       : other);
    }
  std::string text = card(cases == 0      ? "nothing"
                          : held == cases ? "full"
                                          : "poor",
                          "cases that hold", std::to_string(held), fmt::format("of {}", cases));
  const auto add = [&](const char* title, std::uint64_t count, const char* bad) {
    text += card(count == 0 ? "full" : bad, title, std::to_string(count), "findings");
  };
  add("between groups", between, "poor");
  add("within groups", within, "poor");
  add("waits", waits, "poor");
  add("invalid cases, crashes, …", invalid + other, "fair");
  return text;
}

std::string rows(const SchedulesReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    const model::Schedules& schedules = report.kernels[i].schedules;
    std::uint64_t tried = 0, runs = 0;
    double seconds = 0;
    for (const ScheduledCase& scheduled : schedules.cases) {
      tried += scheduled.schedules;
      runs += scheduled.runs;
      seconds += scheduled.seconds;
    }
    const auto held =
        std::ranges::count_if(schedules.cases, [](const ScheduledCase& one) { return holds(one); });
    text += fmt::format("<tr><th scope=\"row\">{}<a href=\"#{}\">{}</a><span class=\"sub\">{} · "
                        "strategy {} · seed {} · "
                        "{} of each</span></th><td data-label=\"hold\" class=\"{}\">{}/{}</td>"
                        "<td data-label=\"schedules\">{}</td><td data-label=\"runs\">{}</td>"
                        "<td data-label=\"seconds\">{:.2f}</td></tr>\n",
                        kernel_ids(schedules.name, schedules.kernel), kernel_anchor(i),
                        escape(label_of(schedules)), escape(schedules.source),
                        escape(schedules.strategy), schedules.seed, plural(schedules.repeat, "run"),
                        holds(schedules) ? "full" : "poor", held, schedules.cases.size(), tried,
                        runs, seconds);
  }
  return text;
}

std::string finding_html(const ScheduleFinding& finding, const std::filesystem::path& folder) {
  std::string text = fmt::format("<li class=\"problem error\"><b>{}</b>: {}",
                                 model::name_of(finding.kind), escape(finding.message));
  if (finding.line != 0)
    text += fmt::format("<p><span class=\"where\">{}:{}:{}</span> <code>{}</code></p>",
                        escape(finding.place_file), finding.line, finding.column,
                        escape(finding.place_text));
  if (!finding.buffer.empty()) {
    text += fmt::format("<table class=\"values\"><caption><code>{}</code> differs in {} of {} "
                        "values</caption>{}",
                        escape(finding.buffer), finding.differing, finding.compared,
                        table_head({"element", "as launched", "in this order"}));
    for (const model::DifferingElement& element : finding.elements)
      text += fmt::format(
          "<tr><th scope=\"row\"><code>{}[{}]{}</code></th><td>{}</td><td>{}</td></tr>\n",
          escape(finding.buffer), element.index, escape(element.path), escape(element.launched),
          escape(element.scheduled));
    text += "</tbody></table>";
    if (finding.differing > finding.elements.size())
      text += fmt::format("<p>and {} more</p>", finding.differing - finding.elements.size());
  }
  if (!finding.order.empty())
    text += fmt::format("<p>order: {}</p>", escape(finding.order));
  if (!finding.file.empty())
    text += fmt::format("<p>replay: <code>{}</code></p>",
                        escape(model::replay_command((folder / finding.file).lexically_normal())));
  return text + "</li>\n";
}

std::string case_html(const ScheduledCase& scheduled, const std::filesystem::path& folder) {
  std::string text = fmt::format("<h3 class=\"case\">{} <span class=\"tally {}\">{}</span></h3>\n",
                                 escape(scheduled.name),
                                 scheduled.verdict == model::ScheduleVerdict::Held ? "full"
                                 : holds(scheduled)                                ? "fair"
                                                                                   : "poor",
                                 escape(model::name_of(scheduled.verdict)));
  if (!scheduled.message.empty())
    text += fmt::format("<p>{}</p>\n", escape(scheduled.message));
  std::string findings;
  for (const ScheduleFinding& finding : scheduled.findings)
    findings += finding_html(finding, folder);
  return text + problem_list(findings);
}

// Cases that fail come first.
std::string section(const ScheduledResult& result, std::size_t index) {
  const model::Schedules& schedules = result.schedules;
  std::string problems;
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    problems += problem(
        "error", fmt::format("{}:{}:{}", escape(entry.file), entry.line, entry.column),
        fmt::format("{} cannot be remapped: {}", escape(entry.construct), escape(entry.reason)));
  for (const std::string& note : schedules.notes)
    problems += problem("warning", escape(note));
  if (const std::string left = model::not_run_text(schedules); !left.empty())
    problems += problem("warning", left);
  std::string failing, holding;
  std::size_t held = 0;
  for (const ScheduledCase& scheduled : schedules.cases) {
    held += holds(scheduled) ? 1 : 0;
    (holds(scheduled) ? holding : failing) += case_html(scheduled, result.folder);
  }
  if (held > 0)
    holding =
        fmt::format("<details class=\"holding\"{}><summary>{} hold{}</summary>\n{}</details>\n",
                    held <= kUnfolded && failing.empty() ? " open" : "", plural(held, "case"),
                    held == 1 ? "s" : "", holding);
  return fmt::format("<section class=\"file scheduled\" id=\"{0}\" aria-labelledby=\"{0}-name\">\n"
                     "<header><h2 id=\"{0}-name\">{1}</h2></header>\n{2}{3}</section>\n",
                     kernel_anchor(index), escape(label_of(schedules)), problem_list(problems),
                     failing + holding);
}

} // namespace

std::string schedules_html(const SchedulesReport& given) {
  SchedulesReport report = given; // kernels that fail come first
  std::ranges::stable_partition(
      report.kernels, [](const ScheduledResult& result) { return !holds(result.schedules); });
  std::string sections, navigation, devices;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    const model::Schedules& schedules = report.kernels[i].schedules;
    sections += section(report.kernels[i], i);
    navigation += navigation_link('#' + kernel_anchor(i), escape(label_of(schedules)));
    model::add_name(devices, schedules.device);
  }
  const std::string body =
      fill_in(schedules_page_html,
              {{"title", escape(report.title)},
               {"subtitle",
                fmt::format("{} · {}", plural(report.kernels.size(), "kernel"), escape(devices))},
               {"cards", cards(report)},
               {"kernels", rows(report)},
               {"sections", sections}});
  return page({.title = report.title,
               .css = std::string(schedules_css),
               .navigation = navigation,
               .body = body});
}

} // namespace gputest::report
