// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/report_html.h"
#include "embedded/report_js.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/kernel_links.h"
#include "report/common/text.h"
#include "report/coverage/html_source.h"
#include "report/coverage/outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

using model::Criterion;
using model::Tally;

std::string fraction(const Tally& tally) {
  return tally.total == 0 ? "none" : fmt::format("{}/{}", tally.covered, tally.total);
}

// The text of a card below its bar.
std::string details(Criterion criterion, const model::Criteria& criteria) {
  std::string text;
  if (criterion == Criterion::Branch)
    for (const auto& [kind, tally] : criteria.branch_kinds)
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ",
                          escape(kind == "conditional" ? "?:" : kind), fraction(tally));
  const model::LoopTally& loop = criteria.loop;
  if (criterion == Criterion::Loop && loop.total > 0)
    text = fmt::format("{}: zero {} · one {} · many {} · boundary {}", plural(loop.total, "loop"),
                       loop.zero, loop.one, loop.many, loop.boundary);
  return text;
}

std::string cards(const model::Criteria& criteria) {
  std::string text;
  for (const Criterion criterion : model::kCriteria) {
    const Tally& tally = criteria.of(criterion);
    text += card(level_of(tally), std::string(model::name_of(criterion)), percent_text(tally),
                 tally.total == 0 ? "nothing to cover"
                                  : fmt::format("{} of {}", tally.covered, tally.total),
                 {.bar = bar(tally), .details = details(criterion, criteria)});
  }
  return text;
}

std::string cases_cell(const model::Coverage& kernel) {
  const auto passed = static_cast<std::size_t>(
      std::ranges::count(kernel.cases, model::CaseVerdict::Passed, &model::CaseRecord::verdict));
  const std::size_t failed = kernel.cases.size() - passed;
  return fmt::format("<td class=\"cases\" data-label=\"cases\">{}{}</td>", kernel.cases.size(),
                     failed == 0 ? ""
                                 : fmt::format(" <span class=\"failed\">{} failed</span>", failed));
}

std::string criteria_cells(const model::Coverage& coverage) {
  const model::Criteria criteria = model::tally(coverage);
  std::string text;
  for (const Criterion criterion : model::kCriteria) {
    const Tally& tally = criteria.of(criterion);
    text += fmt::format(
        "<td data-label=\"{}\" class=\"{}\"><span class=\"value\"><span class=\"percent\">{}"
        "</span> <span class=\"fraction\">{}</span></span>{}</td>",
        model::name_of(criterion), level_of(tally), percent_text(tally),
        tally.total == 0 ? "" : fraction(tally), bar(tally));
  }
  return text;
}

// A link to the start of the kernel's own code on the page; "" if it has no site.
std::string link_to(const model::Coverage& kernel, const std::vector<AnnotatedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const model::SiteCoverage* entry : files[i].sites)
      if (entry->site.function == kernel.kernel)
        for (const model::SiteCoverage& own : kernel.sites)
          if (own.site.file == files[i].name && own.site.id == entry->site.id)
            return "#" + anchor_of(i, entry->site.line);
  return "";
}

std::string kernel_rows(const Report& report, const std::vector<AnnotatedFile>& files) {
  std::string text;
  for (const model::Coverage& kernel : report.kernels) {
    const std::string link = link_to(kernel, files), name = escape(kernel.kernel);
    const std::string tests =
        kernel.name == kernel.kernel ? "" : elide_middle(clean(kernel.name), 60);
    text +=
        fmt::format("<tr><th scope=\"row\">{}{}<span class=\"sub\">{}</span></th>{}{}</tr>\n",
                    kernel_ids(kernel.name, kernel.kernel),
                    link.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", link, name),
                    escape(tests.empty() || kernel.source.empty() ? tests + kernel.source
                                                                  : tests + " · " + kernel.source),
                    criteria_cells(kernel), cases_cell(kernel));
  }
  if (report.kernels.size() > 1)
    text += fmt::format(
        "<tr class=\"all\"><th scope=\"row\">all<span class=\"sub\">shared code counts once"
        "</span></th>{}{}</tr>\n",
        criteria_cells(report.all), cases_cell(report.all));
  return text;
}

// The message after the verdict. Further lines of a message stay as they are.
std::string message_html(const std::string& message) {
  const std::vector<std::string_view> lines = split_lines(message);
  std::string text = message.empty() ? "" : ": " + escape(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i)
    text += (i == 1 ? "<pre>" : "\n") + escape(lines[i]);
  return text + (lines.size() > 1 ? "</pre>" : "");
}

std::string failed_cases(const Report& report) {
  std::string text;
  for (const model::Coverage& kernel : report.kernels)
    for (const model::CaseRecord& record : kernel.cases)
      if (record.verdict != model::CaseVerdict::Passed)
        text += problem("error", escape(label_of(kernel)),
                        fmt::format("test case <code>{}</code> {}{}", escape(record.name),
                                    model::name_of(record.verdict), message_html(record.message)));
  return text;
}

std::string finding_items(const std::vector<CoverageFinding>& findings, Severity severity,
                          const std::vector<AnnotatedFile>& files) {
  const char* kind = severity == Severity::Error     ? "error"
                     : severity == Severity::Warning ? "warning"
                                                     : "missing";
  std::string text;
  for (const CoverageFinding& finding : findings) {
    if (finding.severity != severity)
      continue;
    const auto file = std::ranges::find(files, finding.file, &AnnotatedFile::name);
    text += fmt::format(
        "<li class=\"problem {}\"><a class=\"where\" href=\"#{}\">{}:{}:{}</a> {}</li>\n", kind,
        anchor_of(static_cast<std::size_t>(file - files.begin()), finding.line),
        escape(finding.file), finding.line, finding.column, sentence_html(finding));
  }
  return text;
}

std::string missed_thresholds(const Report& report) {
  std::string text;
  for (const MissedThreshold& missed : report.missed)
    text += problem("error", missed.label.empty() ? "all kernels" : escape(missed.label),
                    model::text_of(missed.miss));
  return text;
}

std::string problems(const Report& report, const std::vector<AnnotatedFile>& files) {
  const std::vector<CoverageFinding> findings = findings_of(report.all);
  const auto folded = [&](Severity severity, const char* what, const char* more) {
    const auto count = std::ranges::count(findings, severity, &CoverageFinding::severity);
    return folded_problems(plural(static_cast<std::size_t>(count), what) + more,
                           finding_items(findings, severity, files));
  };
  std::string text = problem_list(missed_thresholds(report) + failed_cases(report) +
                                  finding_items(findings, Severity::Error, files)) +
                     folded(Severity::Missing, "outcome", " that no test case reached") +
                     folded(Severity::Warning, "warning", "");
  if (text.empty())
    text = "<p class=\"problem ok\">Every outcome of every criterion was reached.</p>\n";
  return text;
}

std::string tally_chips(const model::Criteria& criteria) {
  std::string text;
  for (const Criterion criterion : model::kCriteria) {
    const Tally& tally = criteria.of(criterion);
    if (tally.total > 0)
      text += fmt::format("<span class=\"tally {}\">{} <b>{}</b></span> ", level_of(tally),
                          model::name_of(criterion), fraction(tally));
  }
  return text;
}

std::string file_section(const AnnotatedFile& file, std::size_t index, const SourceTree& sources,
                         std::size_t cases) {
  std::string text =
      fmt::format("<section class=\"file\" id=\"f{}\" aria-labelledby=\"f{}-name\">\n"
                  "<header><h2 id=\"f{}-name\">{}</h2><p>{}</p></header>\n",
                  index, index, index, breakable(file.name), tally_chips(file.criteria));
  if (const auto lines = sources.lines_of(file.name))
    text += source_table(file, index, *lines, cases);
  else
    text +=
        without_source(escape(file.name), " What was measured in it:") + site_table(file, index);
  return text + "</section>\n";
}

std::string navigation(const std::vector<AnnotatedFile>& files) {
  std::string text;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto worst = worst_criterion(files[i].criteria);
    text += navigation_link(fmt::format("#f{}", i), breakable(files[i].name),
                            bar(worst ? files[i].criteria.of(*worst) : Tally{}));
  }
  return text;
}

std::string subtitle(const Report& report) {
  const auto& cases = report.all.cases;
  const auto passed =
      std::ranges::count(cases, model::CaseVerdict::Passed, &model::CaseRecord::verdict);
  std::string text = fmt::format("{} · {}, {} passed", plural(report.kernels.size(), "kernel"),
                                 plural(cases.size(), "test case"), passed);
  if (!report.missed.empty())
    text += fmt::format(" · <span class=\"failed\">{} missed</span>",
                        plural(report.missed.size(), "threshold"));
  if (!report.all.device.empty())
    text += " · " + escape(report.all.device);
  return text;
}

} // namespace

PartedPage coverage_page(const Report& report, const SourceTree& sources, const std::string& file) {
  const std::vector<AnnotatedFile> files = annotate(report);
  PartedBody body{.whole = [&](const std::string& sections, SourceRange) {
    return fill_in(report_html, {{"title", escape(report.title)},
                                 {"subtitle", subtitle(report)},
                                 {"cards", cards(model::tally(report.all))},
                                 {"kernels", kernel_rows(report, files)},
                                 {"problems", problems(report, files)},
                                 {"files", sections}});
  }};
  for (std::size_t i = 0; i < files.size(); ++i)
    body.sections.push_back(file_section(files[i], i, sources, report.all.cases.size()));
  return parted({.title = report.title,
                 .css = "",
                 .script = std::string(report_js),
                 .navigation = navigation(files),
                 .gap = "gap",
                 .body = ""},
                body, file);
}

} // namespace gputest::report
