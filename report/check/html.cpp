// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/check_css.h"
#include "embedded/check_page_html.h"
#include "embedded/report_js.h"
#include "model/checks/checks.h"
#include "model/names.h"
#include "model/shell.h"
#include "report/check/report.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/kernel_links.h"
#include "report/common/site.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace gputest::report {
namespace {

using model::CheckedCase;
using model::CheckedFinding;
using model::CheckResults;
using model::CodePlace;

// The notes that are drawn beside the lines of one source file.
struct CheckedFile {
  struct Note {
    const CheckedFinding* found;
    bool is_other; // the line is the other place of the finding
  };
  std::string name;
  std::map<unsigned, std::vector<Note>> lines;
};

std::vector<CheckedFile> files_of(const CheckReport& report) {
  std::map<std::string, CheckedFile> files;
  const auto add = [&](const CodePlace& place, const CheckedFinding& found, bool is_other) {
    if (place.line == 0)
      return;
    CheckedFile& file = files[place.file];
    file.name = place.file;
    file.lines[place.line].push_back({&found, is_other});
  };
  for (const CheckedKernel& kernel : report.kernels)
    for (const CheckedFinding& found : kernel.results.findings) {
      add(found.finding.site, found, false);
      if (found.finding.other.line != found.finding.site.line ||
          found.finding.other.file != found.finding.site.file)
        add(found.finding.other, found, true);
    }
  std::vector<CheckedFile> listed;
  for (auto& [name, file] : files)
    listed.push_back(std::move(file));
  return listed;
}

// Returns cards: the cases that hold, and the findings of each check that was made.
std::string cards(const CheckReport& report) {
  std::uint64_t cases = 0, held = 0;
  std::set<std::string, std::less<>> made;
  std::map<std::string, std::uint64_t, std::less<>> kinds;
  for (const CheckedKernel& kernel : report.kernels) {
    for (const CheckedCase& checked : kernel.results.cases)
      ++cases, held += holds(checked) ? 1 : 0;
    made.insert(kernel.results.checks.begin(), kernel.results.checks.end());
    for (const CheckedFinding& found : kernel.results.findings)
      ++kinds[found.finding.kind];
  }
  std::string text = card(cases == 0      ? "nothing"
                          : held == cases ? "full"
                                          : "poor",
                          "cases that hold", std::to_string(held), fmt::format("of {}", cases));
  const auto findings = [&](const std::string& title, std::uint64_t count) {
    text += card(count == 0 ? "full" : "poor", title, std::to_string(count), "findings");
  };
  for (const model::CheckRow& check : model::check_rows())
    if (!check.variant_of.empty() && made.contains(check.name))
      made.insert(std::string(check.variant_of));
  for (const model::CheckRow& check : model::check_rows()) {
    std::uint64_t count = 0;
    for (const model::KindOfFinding& kind : check.kinds)
      if (const auto found = kinds.find(kind.name); found != kinds.end()) {
        count += found->second;
        kinds.erase(found);
      }
    if ((made.contains(check.name) && check.variant_of.empty()) || count > 0)
      findings(linked_to_site(std::string(check.name), fmt::format("check-{}", check.name)), count);
  }
  std::uint64_t others = 0;
  for (const auto& [kind, count] : kinds)
    others += count;
  if (others > 0)
    findings("waits, orders, …", others);
  return text;
}

std::string link(const CodePlace& place, const std::vector<CheckedFile>& files) {
  const auto file = std::ranges::find(files, place.file, &CheckedFile::name);
  if (place.line == 0 || file == files.end())
    return "";
  return fmt::format("<a class=\"where\" href=\"#{}\">{}</a>",
                     anchor_of(static_cast<std::size_t>(file - files.begin()), place.line),
                     breakable(model::place_text(place)));
}

std::string kernel_rows(const CheckReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    const CheckResults& results = report.kernels[i].results;
    double seconds = 0;
    for (const CheckedCase& checked : results.cases)
      seconds += checked.seconds;
    const auto held =
        std::ranges::count_if(results.cases, [](const CheckedCase& one) { return holds(one); });
    const char* const level = holds(results) ? "full" : "poor";
    text += fmt::format("<tr><th scope=\"row\">{}<a href=\"#{}\">{}</a><span class=\"sub\">{}{}{}"
                        "</span></th><td data-label=\"cases that hold\" class=\"{}\">"
                        "<span class=\"percent\">{}/{}</span></td>"
                        "<td data-label=\"findings\" class=\"{}\"><span class=\"percent\">{}</span>"
                        "</td><td data-label=\"seconds\">{:.2f}</td></tr>\n",
                        kernel_ids(results.name, results.kernel), kernel_anchor(i),
                        escape(label_of(results)), escape(results.source),
                        results.source.empty() ? "" : " · ",
                        escape(fmt::format("{}", fmt::join(results.checks, ", "))), level, held,
                        results.cases.size(), level, results.findings.size(), seconds);
  }
  return text;
}

// Returns the kind, with a link to what it means if this version knows it.
std::string kind_html(const std::string& kind) {
  const auto has = [&](std::span<const model::KindOfFinding> kinds) {
    return std::ranges::find(kinds, kind, &model::KindOfFinding::name) != kinds.end();
  };
  const bool known = has(model::other_kinds()) ||
                     std::ranges::any_of(model::check_rows(), has, &model::CheckRow::kinds);
  return known ? linked_to_site(escape(kind), "finding-" + kind) : escape(kind);
}

std::string finding_html(const CheckedKernel& kernel, const FindingsOfCause& group,
                         const std::vector<CheckedFile>& files) {
  const model::Finding& finding = group.first->finding;
  std::string text =
      fmt::format("<li class=\"problem error\">{} <b>{}</b>: {}", link(finding.site, files),
                  kind_html(finding.kind), escape(finding.message));
  text += fmt::format("<p class=\"sub\">{} · {}: {}</p>", escape(label_of(kernel.results)),
                      group.first->cases.size() == 1 ? "case" : "cases",
                      escape(fmt::format("{}", fmt::join(group.first->cases, ", "))));
  if (!group.others.empty()) {
    text += fmt::format("<details><summary>{} more of {}</summary><ul>", group.others.size(),
                        escape(finding.cause));
    for (const CheckedFinding* other : group.others)
      text += fmt::format("<li>{} and {}</li>", link(other->finding.site, files),
                          link(other->finding.other, files));
    text += "</ul></details>";
  }
  if (!group.first->replay.empty())
    text += fmt::format(
        "<p>replay: <code>{}</code></p>",
        escape(model::replay_command((kernel.folder / group.first->replay).lexically_normal())));
  return text + "</li>\n";
}

// Returns a folded list of the findings that are suppressed; empty: there are none.
std::string suppressed(const CheckReport& report) {
  std::string rows;
  std::uint64_t count = 0;
  for (const CheckedKernel& kernel : report.kernels)
    for (const model::SuppressedFinding& one : kernel.results.suppressed) {
      const model::Finding& finding = one.found.finding;
      rows += fmt::format("<li><span class=\"where\">{}</span> <b>{}</b>: {}<p class=\"sub\">{} · "
                          "{}{}{}</p></li>\n",
                          breakable(model::place_text(finding.site)), kind_html(finding.kind),
                          escape(finding.message), escape(label_of(kernel.results)),
                          escape(one.by.place), one.by.reason.empty() ? "" : ": ",
                          escape(one.by.reason));
      ++count;
    }
  return count == 0 ? ""
                    : fmt::format("<details><summary>{} suppressed</summary><ul>\n{}</ul>"
                                  "</details>\n",
                                  plural(count, "finding"), rows);
}

std::string findings(const CheckReport& report, const std::vector<CheckedFile>& files) {
  std::string text;
  for (const CheckedKernel& kernel : report.kernels) {
    for (const CheckedCase& checked : kernel.results.cases)
      if (checked.verdict != model::CaseVerdict::Passed)
        text += problem("error", escape(label_of(kernel.results)),
                        fmt::format("case <code>{}</code>: {}{}{}", escape(checked.name),
                                    escape(model::name_of(checked.verdict)),
                                    checked.message.empty() ? "" : ": ", escape(checked.message)));
    for (const FindingsOfCause& group : by_cause(kernel.results.findings))
      text += finding_html(kernel, group, files);
  }
  text =
      text.empty() ? "<p class=\"problem ok\">No check found anything.</p>\n" : problem_list(text);
  return text + suppressed(report);
}

void write_notes(const std::vector<CheckedFile::Note>& notes, Out out) {
  fmt::format_to(out, "<div class=\"notes\">");
  std::set<std::string> said; // kernels share lines
  for (const CheckedFile::Note& note : notes) {
    const model::Finding& finding = note.found->finding;
    const std::string text =
        note.is_other ? fmt::format("<p class=\"note other\">{} with {}</p>", escape(finding.kind),
                                    escape(model::place_text(finding.site)))
                      : fmt::format("<p class=\"note error\">{}</p>", escape(finding.message));
    if (said.insert(text).second)
      fmt::format_to(out, "{}", text);
  }
  fmt::format_to(out, "</div>");
}

std::string source_table(const CheckedFile& file, std::size_t index,
                         const std::vector<std::string>& text) {
  const auto tokens = highlight(text);
  std::vector<unsigned> gaps;
  for (const auto& [number, notes] : file.lines)
    gaps.push_back(number);
  const std::vector<bool> near = lines_near(gaps, text.size());
  std::string table;
  const auto out = std::back_inserter(table);
  begin_source_table("Findings", out);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto number = static_cast<unsigned>(i + 1);
    const auto found = file.lines.find(number);
    std::vector<Mark> marks;
    std::size_t own = 0;
    if (found != file.lines.end())
      for (const CheckedFile::Note& note : found->second) {
        const CodePlace& place =
            note.is_other ? note.found->finding.other : note.found->finding.site;
        own += note.is_other ? 0 : 1;
        if (place.column > 0)
          marks.push_back({.begin = place.column - 1,
                           .end = place.column,
                           .severity = note.is_other ? Severity::Missing : Severity::Error});
      }
    if (!near[number] && (i == 0 || near[i]))
      write_fold(near, number, "without findings", out);
    fmt::format_to(out,
                   "<tr id=\"{0}\" class=\"{1}{2}\"{3}><td class=\"n\"><a href=\"#{0}\">{4}</a>"
                   "</td><td class=\"c\">{5}</td><td class=\"s\"><code>",
                   anchor_of(index, number),
                   own > 0                     ? "divergent"
                   : found == file.lines.end() ? "none"
                                               : "partial",
                   near[number] ? "" : " far", own > 0 ? " data-gap" : "", number,
                   own > 0 ? std::to_string(own) : "");
    write_code(text[i], tokens[i], marks, out);
    fmt::format_to(out, "</code>");
    if (found != file.lines.end())
      write_notes(found->second, out);
    fmt::format_to(out, "</td></tr>\n");
  }
  return table + "</tbody></table>\n";
}

// Returns a list of lines, for a file without its source.
std::string line_list(const CheckedFile& file, std::size_t index) {
  std::string text = without_source(escape(file.name)) +
                     "<table class=\"source\"><colgroup><col class=\"n\"><col></colgroup><tbody>\n";
  for (const auto& [number, notes] : file.lines) {
    text += fmt::format("<tr id=\"{0}\" data-gap><td class=\"n\"><a href=\"#{0}\">{1}</a></td>"
                        "<td class=\"s\">",
                        anchor_of(index, number), number);
    write_notes(notes, std::back_inserter(text));
    text += "</td></tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string file_section(const CheckedFile& file, std::size_t index, const SourceTree& sources) {
  const std::string text =
      fmt::format("<section class=\"file\" id=\"f{0}\" aria-labelledby=\"f{0}-name\">\n"
                  "<header><h2 id=\"f{0}-name\">{1}</h2></header>\n",
                  index, breakable(file.name));
  const auto lines = sources.lines_of(file.name);
  const bool is_whole =
      lines && (file.lines.empty() || file.lines.rbegin()->first <= lines->size());
  return text + (is_whole ? source_table(file, index, *lines) : line_list(file, index)) +
         "</section>\n";
}

// Returns all cases of a kernel. Those that hold are folded.
std::string case_section(const CheckedKernel& kernel, std::size_t index) {
  const CheckResults& results = kernel.results;
  std::string rows;
  for (const bool held : {false, true})
    for (const CheckedCase& checked : results.cases)
      if (holds(checked) == held)
        rows += fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td>{:.3f}</td><td>{}</td>"
                            "</tr>\n",
                            escape(checked.name), held ? "full" : "poor",
                            checked.findings > 0 ? plural(checked.findings, "finding")
                                                 : escape(model::name_of(checked.verdict)),
                            checked.seconds, escape(checked.message));
  return fmt::format("<details id=\"{}\"{}><summary>{}: {}</summary>\n<table class=\"checked\">"
                     "{}{}</tbody></table></details>\n",
                     kernel_anchor(index), holds(results) ? "" : " open", escape(label_of(results)),
                     plural(results.cases.size(), "case"),
                     table_head({"case", "verdict", "seconds", "what was explored"}), rows);
}

} // namespace

std::string check_html(const CheckReport& report, const SourceTree& sources) {
  const std::vector<CheckedFile> files = files_of(report);
  std::string sections, cases, navigation, devices;
  for (std::size_t i = 0; i < files.size(); ++i) {
    sections += file_section(files[i], i, sources);
    navigation += navigation_link(fmt::format("#f{}", i), breakable(files[i].name));
  }
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    cases += case_section(report.kernels[i], i);
    model::add_name(devices, report.kernels[i].results.device);
  }
  const std::string body = fill_in(
      check_page_html, {{"title", escape(report.title)},
                        {"subtitle", fmt::format("{}{}{}", plural(report.kernels.size(), "kernel"),
                                                 devices.empty() ? "" : " · ", escape(devices))},
                        {"cards", cards(report)},
                        {"kernels", kernel_rows(report)},
                        {"findings", findings(report, files)},
                        {"files", sections},
                        {"cases", cases}});
  return page({.title = report.title,
               .css = std::string(check_css),
               .script = std::string(report_js),
               .navigation = navigation,
               .gap = files.empty() ? std::nullopt : std::optional<std::string>("finding"),
               .body = body});
}

} // namespace gputest::report
