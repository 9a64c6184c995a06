// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/comparison_css.h"
#include "embedded/comparison_page_html.h"
#include "report/common/highlight.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/text.h"
#include "report/comparison/result.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

std::string compared_cards(const ComparisonResult& result) {
  const bool differs = result.difference.has_value();
  const bool too_few = !differs && !result.proved && !result.enough;
  std::string text;
  const auto add = [&](const char* title, const char* level, const std::string& big,
                       const std::string& below) { text += card(level, title, big, below); };
  add("verdict", differs || too_few ? "poor" : "full",
      differs         ? "differ"
      : result.proved ? "equal"
      : too_few       ? "unknown"
                      : "no difference",
      differs         ? "with the input below"
      : result.proved ? "proved for all inputs"
      : too_few       ? "not enough compared"
                      : "found, which proves nothing");
  add(result.replayed ? "inputs replayed" : "inputs compared", "", with_commas(result.inputs),
      result.left_out.empty() ? "" : fmt::format("{} more do not count", [&] {
        std::uint64_t all = 0;
        for (const auto& [reason, count] : result.left_out)
          all += count;
        return with_commas(all);
      }()));
  if (!result.replayed) {
    add("outcomes reached", "", with_commas(result.reached),
        fmt::format("of {}, of both kernels", result.goals));
    if (result.mutants != 0)
      add("mutants told apart", "", with_commas(result.killed),
          fmt::format("of {}, of both kernels", result.mutants));
  }
  if (!result.cycles.empty()) {
    const ComparedCycles& last = result.cycles.back();
    add("cycles of the first", last.first <= last.second ? "full" : "fair",
        fmt::format("{:.2f}×", static_cast<double>(last.first) /
                                   static_cast<double>(std::max<std::uint64_t>(last.second, 1))),
        fmt::format("those of the second, on {}", escape(result.gpu)));
  }
  return text;
}

// Escapes each line by itself: escape() shows a line's end as a character.
std::string escape_lines(const std::string& text) {
  std::string escaped;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    escaped += escape(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return escaped;
}

std::string difference_html(const ComparedDifference& difference) {
  std::string text = fmt::format("<section id=\"difference\"><h2>The difference</h2>\n"
                                 "<p class=\"message\">{}</p>\n",
                                 escape(difference.message));
  if (!difference.hint.empty())
    text += fmt::format("<p>{}</p>\n", escape(difference.hint));
  text += fmt::format("<p>The input is <code>{}</code>, a test case of the second kernel{}</p>\n",
                      escape(difference.file), difference.text.empty() ? "." : ":");
  if (!difference.text.empty())
    text += fmt::format("<pre class=\"text\">{}</pre>\n", escape_lines(difference.text));
  if (!difference.replay.empty())
    text += fmt::format("<p>Run it again:</p>\n<pre class=\"text\">{}</pre>\n",
                        escape(difference.replay));
  return text + "</section>\n";
}

std::string numbers_html(const ComparisonResult& result) {
  if (!result.largest_ulp && !result.largest_relative)
    return result.difference ? ""
                             : "<p>All outputs that were compared are the same to the last "
                               "bit.</p>\n";
  std::string rows;
  const auto row = [&](const char* title, const std::optional<ComparedNumber>& number) {
    if (number)
      rows +=
          fmt::format("<tr><th scope=\"row\">{}</th><td data-label=\"ulp\">{:.0f}</td>"
                      "<td data-label=\"relative\">{:.2g}</td><td data-label=\"where\">{}</td>"
                      "<td data-label=\"first\">{}</td><td data-label=\"second\">{}</td></tr>\n",
                      title, number->ulp, number->relative, escape(number->place),
                      escape(number->first), escape(number->second));
  };
  row("units in the last place", result.largest_ulp);
  row("relative", result.largest_relative);
  return "<table class=\"compared\">" +
         table_head({"largest error", "ulp", "relative", "where", "first", "second"}) + rows +
         "</tbody></table>\n";
}

std::string cycles_html(const ComparisonResult& result) {
  if (result.cycles.empty())
    return "";
  std::string text = fmt::format(
      "<section id=\"cycles\"><h2>Cycles on the model of {}</h2>\n<table class=\"compared\">{}",
      escape(result.gpu), table_head({"input", "first", "second"}));
  for (const ComparedCycles& one : result.cycles)
    text += fmt::format("<tr><th scope=\"row\">{}</th><td data-label=\"first\">{}</td>"
                        "<td data-label=\"second\">{}</td></tr>\n",
                        escape(one.input), with_commas(one.first), with_commas(one.second));
  return text + "</tbody></table></section>\n";
}

std::string remarks_html(const ComparisonResult& result) {
  std::string rows;
  if (!result.not_proved.empty() && !result.difference)
    rows += fmt::format("<li>Not proved for all inputs: {}.</li>\n", escape(result.not_proved));
  if (result.asked != 0)
    rows += fmt::format("<li>The solver looked for other decisions or outputs {} times, and proved "
                        "{} times that there are none.</li>\n",
                        result.asked, result.excluded);
  for (const auto& [reason, count] : result.left_out)
    rows += fmt::format("<li>{} do{} not count: {}</li>\n", plural(count, "input"),
                        count == 1 ? "es" : "", escape(reason));
  for (const std::string& note : result.notes)
    rows += fmt::format("<li>{}</li>\n", escape(note));
  if (result.out_of_time)
    rows += "<li>There was no time for more: see <code>--budget</code>.</li>\n";
  return rows.empty() ? ""
                      : "<section id=\"remarks\"><h2>What else came up</h2>\n<ul>\n" + rows +
                            "</ul></section>\n";
}

std::string source_html(const char* id, const char* title, const ComparedKernel& kernel) {
  if (kernel.lines.empty())
    return "";
  std::string text = fmt::format("<details id=\"{}\" open><summary>{}: <b>{}</b> <span "
                                 "class=\"where\">{}</span></summary>\n<pre class=\"text code\">",
                                 id, title, escape(kernel.kernel), escape(kernel.source));
  const auto tokens = highlight(kernel.lines);
  for (std::size_t i = 0; i < kernel.lines.size(); ++i) {
    text += fmt::format("<span class=\"number\">{:>4} </span>", i + 1);
    write_code(kernel.lines[i], tokens[i], {}, std::back_inserter(text));
    text += '\n';
  }
  return text + "</pre></details>\n";
}

} // namespace

std::string cycles_text(const ComparedCycles& cycles) {
  return fmt::format("{} and {} cycles, {:.2f} times as many", with_commas(cycles.first),
                     with_commas(cycles.second),
                     static_cast<double>(cycles.first) /
                         static_cast<double>(std::max<std::uint64_t>(cycles.second, 1)));
}

std::string comparison_html(const ComparisonResult& result) {
  std::string navigation;
  const auto link = [&](const char* id, const char* name, bool there) {
    if (there)
      navigation += navigation_link(fmt::format("#{}", id), name);
  };
  const std::string remarks = remarks_html(result);
  link("difference", "Difference", result.difference.has_value());
  link("cycles", "Cycles", !result.cycles.empty());
  link("remarks", "What else came up", !remarks.empty());
  link("first", "First kernel", !result.first.lines.empty());
  link("second", "Second kernel", !result.second.lines.empty());
  return page({.title = fmt::format("{}: {} and {}", verdict_of(result), result.first.source,
                                    result.second.source),
               .css = std::string(comparison_css),
               .navigation = navigation,
               .body = fill_in(
                   comparison_page_html,
                   {{"subtitle", escape(fmt::format("{} ({}) and {} ({})", result.first.kernel,
                                                    result.first.source, result.second.kernel,
                                                    result.second.source))},
                    {"cards", compared_cards(result)},
                    {"difference", result.difference ? difference_html(*result.difference) : ""},
                    {"numbers", numbers_html(result)},
                    {"cycles", cycles_html(result)},
                    {"remarks", remarks},
                    {"sources", source_html("first", "First kernel", result.first) +
                                    source_html("second", "Second kernel", result.second)}})});
}

} // namespace gputest::report
