// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/coverage/html_source.h"

#include "report/common/highlight.h"
#include "report/common/html_code.h"
#include "report/common/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

const char* class_of(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "missing";
}

void write_notes(const AnnotatedLine& line, Out out) {
  if (line.notes.empty())
    return;
  fmt::format_to(out, "<div class=\"notes\">");
  for (const CoverageFinding& note : line.notes)
    fmt::format_to(out, "<p class=\"note {}\">{}</p>", class_of(note.severity),
                   sentence_html(note));
  fmt::format_to(out, "</div>");
}

std::string count_cell(const AnnotatedLine& line, std::size_t cases) {
  if (!line.cases)
    return "<td class=\"c\"></td>";
  return fmt::format("<td class=\"c\" title=\"ran in {0} of {1} test case{2}\">{0}</td>",
                     *line.cases, cases, cases == 1 ? "" : "s");
}

// Returns " in scale&lt;float&gt;" for an instantiation that is shown by itself.
std::string instance_of(const model::Site& site) {
  return site.instances.empty() ? "" : " in " + escape(site.function);
}

std::vector<unsigned> gaps_of(const AnnotatedFile& file) {
  std::vector<unsigned> gaps;
  for (const auto& [number, line] : file.lines)
    if (line.is_gap())
      gaps.push_back(number);
  return gaps;
}

void write_orphans(const AnnotatedFile& file, std::size_t line_count, Out out) {
  const auto first = file.lines.upper_bound(static_cast<unsigned>(line_count));
  if (first == file.lines.end())
    return;
  fmt::format_to(
      out,
      "<p class=\"problem warning\">This file has {} lines now, but line {} was measured: it "
      "changed since. Run the coverage tests again.</p>\n",
      line_count, file.lines.rbegin()->first);
}

} // namespace

std::string sentence_html(const CoverageFinding& finding) {
  return fmt::format("{}{} {}", escape(finding.subject),
                     finding.text.empty() ? "" : " <code>" + escape(finding.text) + "</code>",
                     escape(finding.rest));
}

std::string loop_chips(const model::SiteCoverage& loop) {
  struct Chip {
    const char *outcome, *symbol, *meaning;
  };
  constexpr std::array<Chip, 4> chips{{{"zero", "0", "zero times"},
                                       {"one", "1", "exactly once"},
                                       {"many", "&gt;1", "more than once"},
                                       {"boundary", "∎", "to its boundary"}}};
  std::string text =
      fmt::format("<span class=\"chips\" title=\"{} loop{}: {}\">", escape(loop.site.kind),
                  instance_of(loop.site), escape(loop.site.text));
  for (const Chip& chip : chips) {
    const auto found = std::ranges::find(loop.site.outcomes, chip.outcome, &model::Outcome::name);
    const auto index = static_cast<std::size_t>(found - loop.site.outcomes.begin());
    const bool possible = found != loop.site.outcomes.end();
    const char* state = !possible ? "na" : loop.hits[index] > 0 ? "yes" : "no";
    const char* said = !possible ? "cannot run" : loop.hits[index] > 0 ? "ran" : "never ran";
    fmt::format_to(std::back_inserter(text),
                   "<span class=\"{0}\" title=\"{1} {2}\"><span class=\"sr\">{1} {2}; </span>"
                   "<span aria-hidden=\"true\">{3}</span></span>",
                   state, said, chip.meaning, chip.symbol);
  }
  return text + "</span>";
}

std::string source_table(const AnnotatedFile& file, std::size_t index,
                         const std::vector<std::string>& text, std::size_t cases) {
  const auto tokens = highlight(text);
  const std::vector<bool> near = lines_near(gaps_of(file), text.size());
  std::string table;
  const auto out = std::back_inserter(table);
  write_orphans(file, text.size(), out);
  begin_source_table("Test cases", out);
  bool was_missed = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto number = static_cast<unsigned>(i + 1);
    const auto found = file.lines.find(number);
    const AnnotatedLine line = found == file.lines.end() ? AnnotatedLine{} : found->second;
    if (!near[number] && (i == 0 || near[i]))
      write_fold(near, number, "without gaps", out);
    const bool missed = line.state == LineState::Missed && line.notes.empty();
    const bool stop = line.is_gap() && !(missed && was_missed); // once for each stretch
    was_missed = missed;
    fmt::format_to(
        out,
        "<tr id=\"{0}\" class=\"{1}{2}\"{3}><td class=\"n\"><a href=\"#{0}\">{4}</a></td>{5}"
        "<td class=\"s\"><code>",
        anchor_of(index, number), name_of(line.state), near[number] ? "" : " far",
        stop ? " data-gap" : "", number, count_cell(line, cases));
    write_code(text[i], tokens[i], line.marks, out);
    fmt::format_to(out, "</code>");
    for (const model::SiteCoverage* loop : line.loops)
      table += loop_chips(*loop);
    write_notes(line, out);
    fmt::format_to(out, "</td></tr>\n");
  }
  return table + "</tbody></table>\n";
}

std::string site_table(const AnnotatedFile& file, std::size_t index) {
  std::string table =
      "<div class=\"scroll\"><table class=\"sites\"><thead><tr><th>Line</th><th>Criterion"
      "</th><th>Code</th><th>Outcomes</th></tr></thead><tbody>\n";
  const auto out = std::back_inserter(table);
  unsigned previous = 0;
  for (const model::SiteCoverage* entry : file.sites) {
    const model::Site& site = entry->site;
    const std::string id =
        site.line == previous ? "" : fmt::format(" id=\"{}\"", anchor_of(index, site.line));
    previous = site.line;
    fmt::format_to(out, "<tr{}{}><td>{}:{}</td><td>{}{}</td><td><code>{}</code></td><td>", id,
                   missing_at(*entry).empty() ? "" : " data-gap", site.line, site.column,
                   model::name_of(site.criterion), instance_of(site), escape(site.text));
    for (std::size_t i = 0; i < entry->hits.size(); ++i)
      fmt::format_to(out, "<span class=\"outcome {}\">{}: {}</span> ",
                     entry->hits[i] > 0 ? "yes" : "no", escape(site.outcomes[i].name),
                     entry->hits[i]);
    fmt::format_to(out, "</td></tr>\n");
  }
  return table + "</tbody></table></div>\n";
}

} // namespace gputest::report
