// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/index_css.h"
#include "embedded/index_page_html.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/kernel_links.h"
#include "report/common/site.h"
#include "report/common/text.h"
#include "report/index/index.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace gputest::report {
namespace {

constexpr std::size_t kListedEnds = 20; // the most changes that are listed in one place
constexpr std::size_t kUnfoldedFailures = 8;
// What users see when they point at these words.
constexpr const char* kNotVerified =
    "Nothing says what the outputs of some cases should be, or the expected ones were recorded "
    "from "
    "the kernel itself: such a case cannot find a kernel wrong. The list below names them.";
constexpr const char* kWeak =
    "Some cases would hardly notice a fault: their inputs do not change their outputs, or each "
    "output is one value. The list below names them.";
constexpr const char* kUnverified = "unverified"; // the section of cases without an oracle

const Summary* cell_of(const IndexRow& row, std::string_view kind) {
  const auto cell = row.cells.find(kind);
  return cell == row.cells.end() ? nullptr : &cell->second;
}

// Returns a kernel's own page, or the page of its kind; empty: there is none.
std::string page_of(const Index& index, std::string_view kind, const std::string& name) {
  auto page = index.pages.find(std::string(kind) + '/' + name);
  if (page == index.pages.end())
    page = index.pages.find(kind);
  return page == index.pages.end() ? "" : page->second;
}

// Returns the place of a kernel in that page.
std::string place_of(const Index& index, std::string_view kind, const IndexRow& row) {
  const std::string page = page_of(index, kind, row.name);
  return page.empty() || kind == "generation" ? page : page + '#' + kernel_id(row.name, row.kernel);
}

std::string linked(const std::string& page, const std::string& html) {
  return page.empty() ? html : fmt::format("<a href=\"{}\">{}</a>", escape(page), html);
}

// Returns the percentages of the last runs as a line, which screen readers skip.
std::string trend_line(const Index& index, std::string_view kind) {
  const auto found = index.history.trends.find(kind);
  if (found == index.history.trends.end() || found->second.size() < 2)
    return "";
  const std::vector<double>& values = found->second;
  std::string points;
  for (std::size_t i = 0; i < values.size(); ++i)
    points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ",
                          100.0 * static_cast<double>(i) / static_cast<double>(values.size() - 1),
                          25 - 0.24 * values[i]);
  return fmt::format("<svg class=\"trend\" viewBox=\"0 0 100 26\" preserveAspectRatio=\"none\" "
                     "aria-hidden=\"true\"><title>the last {} runs: {:.0f} % to {:.0f} %</title>"
                     "<polyline points=\"{}\"/></svg>",
                     values.size(), values.front(), values.back(), points);
}

// Returns the lowest percentage of a kind, if it is below 100.
std::string lowest(const Index& index, std::string_view kind) {
  const IndexRow* worst = nullptr;
  double percent = 100;
  for (const IndexRow& row : index.rows)
    if (const Summary* const cell = cell_of(row, kind);
        cell && cell->percent && *cell->percent < percent) {
      percent = *cell->percent;
      worst = &row;
    }
  return worst ? fmt::format("lowest: {} in {}", escape(cell_of(*worst, kind)->value),
                             breakable(label_of(*worst)))
               : "";
}

std::string kind_cards(const Index& index) {
  std::string text;
  for (const IndexKind& kind : index.kinds) {
    const Held kernels = held(index, kind.name);
    Level level = kernels.held == kernels.all ? Level::Full : Level::Poor;
    for (const IndexRow& row : index.rows)
      if (const Summary* const cell = cell_of(row, kind.name);
          cell && level == Level::Full && cell->level != Level::Full)
        level = Level::Fair;
    text += card(name_of(level), linked(page_of(index, kind.name, ""), escape(kind.name)),
                 fmt::format("{}/{}", kernels.held, kernels.all),
                 kernels.all == 1 ? "kernel holds" : "kernels hold",
                 {.details = lowest(index, kind.name), .end = trend_line(index, kind.name)});
  }
  return text;
}

std::string bar_of(const Summary& summary) {
  if (!summary.percent)
    return "";
  return fmt::format("<span class=\"bar {}\" aria-hidden=\"true\"><span style=\"width:{:.1f}%\">"
                     "</span></span>",
                     name_of(summary.level), *summary.percent);
}

std::string cell_html(const Index& index, const IndexKind& kind, const IndexRow& row) {
  const Summary* const cell = cell_of(row, kind.name);
  if (!cell)
    return fmt::format("<td data-label=\"{}\" class=\"without\">–</td>", escape(kind.name));
  std::string text = fmt::format("<span class=\"percent\">{}</span>{}<span class=\"sub\">{}</span>",
                                 escape(cell->value), bar_of(*cell), escape(cell->detail));
  if (!cell->failures.empty())
    text +=
        fmt::format("<span class=\"failed\">✕ {}</span>", plural(cell->failures.size(), "failure"));
  if (!cell->unverified.empty())
    text += fmt::format("<span class=\"sub open\" title=\"{}\">not verified</span>", kNotVerified);
  else if (!cell->weak.empty())
    text += fmt::format("<span class=\"sub open\" title=\"{}\">weak</span>", kWeak);
  return fmt::format("<td data-label=\"{}\" class=\"{}\">{}</td>", escape(kind.name),
                     name_of(cell->failures.empty() ? cell->level : Level::Poor),
                     linked(place_of(index, kind.name, row), text));
}

std::string index_rows(const Index& index) {
  std::string text;
  for (std::size_t i = 0; i < index.rows.size(); ++i) {
    const IndexRow& row = index.rows[i];
    text += fmt::format("<tr id=\"{}\"><th scope=\"row\">{}<span class=\"sub\">{}</span></th>",
                        kernel_anchor(i), breakable(label_of(row)), breakable(row.source));
    for (const IndexKind& kind : index.kinds)
      text += cell_html(index, kind, row);
    text += "</tr>\n";
  }
  return text;
}

// Returns what it means that nothing fails.
std::string nothing_fails(const Index& index) {
  std::size_t cases = 0, kernels = 0;
  for (const IndexRow& row : index.rows) {
    const std::size_t before = cases;
    for (const auto& [kind, cell] : row.cells)
      cases += cell.unverified.size();
    kernels += cases > before ? 1 : 0;
  }
  const std::string text = "Nothing fails, and no threshold is missed";
  if (cases == 0)
    return "<p class=\"problem ok\">" + text + ".</p>\n";
  return fmt::format(
      "<p class=\"problem warning\">{}. But whether outputs are right, nobody has said "
      "of <a href=\"#{}\">{} of {}</a>.</p>\n",
      text, kUnverified, plural(cases, "case"), plural(kernels, "kernel"));
}

// Returns what fails, with the first entries unfolded.
std::string failures(const Index& index) {
  std::vector<std::string> items;
  for (const std::string& unread : index.unread)
    items.push_back(problem("error", "left out: " + escape(unread)));
  for (std::size_t i = 0; i < index.rows.size(); ++i)
    for (const IndexKind& kind : index.kinds)
      if (const Summary* const cell = cell_of(index.rows[i], kind.name))
        for (const std::string& failure : cell->failures)
          items.push_back(fmt::format(
              "<li class=\"problem error\"><a class=\"where\" href=\"#{}\">{}</a> {}: {}</li>\n",
              kernel_anchor(i), escape(label_of(index.rows[i])),
              linked(place_of(index, kind.name, index.rows[i]), escape(kind.name)),
              escape(failure)));
  if (items.empty())
    return nothing_fails(index);
  std::string first, others;
  for (std::size_t i = 0; i < items.size(); ++i)
    (i < kUnfoldedFailures ? first : others) += items[i];
  return problem_list(first) +
         folded_problems(fmt::format("and {} more", items.size() - kUnfoldedFailures), others);
}

std::string ends(const std::vector<OpenEnd>& list) {
  std::string text = "<ul>";
  for (std::size_t i = 0; i < list.size() && i < kListedEnds; ++i)
    text += fmt::format("<li>{}</li>", escape(list[i].text));
  if (list.size() > kListedEnds)
    text += fmt::format("<li>and {} more</li>", list.size() - kListedEnds);
  return text + "</ul>";
}

std::string changes(const Index& index) {
  std::string text;
  for (const Change& change : index.history.changes) {
    const std::string where = fmt::format(
        "<span class=\"where\">{}</span> {}: ", escape(label_of(change)), escape(change.kind));
    if (!change.appeared.empty())
      text += problem("missing", fmt::format("{}{} new{}", where, change.appeared.size(),
                                             ends(change.appeared)));
    if (!change.gone.empty())
      text +=
          problem("gone", fmt::format("{}{} gone{}", where, change.gone.size(), ends(change.gone)));
  }
  if (text.empty())
    return "";
  return fmt::format(
      "<section class=\"changes\"><h2>Since {}</h2>\n<ul class=\"problems\">\n{}</ul></section>\n",
      escape(index.history.since), text);
}

// Returns the lines that some cells have, under a title with a link to the page of the site.
std::string listed(const Index& index, const char* title, const char* id, const char* page,
                   const char* meaning, std::vector<std::string> Summary::* lines) {
  std::string text;
  for (const IndexRow& row : index.rows)
    for (const auto& [kind, cell] : row.cells)
      for (const std::string& one : cell.*lines)
        text += problem("warning", escape(label_of(row)), escape(one));
  if (text.empty())
    return "";
  return fmt::format("<section class=\"changes\" id=\"{}\"><h2 title=\"{}\">{}</h2>\n"
                     "<ul class=\"problems\">\n{}</ul></section>\n",
                     id, meaning, linked_to_site(title, page), text);
}

std::string redundant(const Index& index) {
  std::string text;
  for (const std::string& one : index.redundant)
    text += problem("missing", escape(one));
  return text.empty()
             ? ""
             : "<section class=\"changes\" id=\"redundant\"><h2>Redundant cases</h2>\n<p>" +
                   linked_to_site("What this means", "cases") + "</p>\n<ul class=\"problems\">\n" +
                   text + "</ul></section>\n";
}

std::string devices(const Index& index) {
  std::set<std::string> names;
  for (const IndexRow& row : index.rows)
    for (const auto& [kind, cell] : row.cells)
      if (!cell.device.empty())
        names.insert(cell.device);
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string index_html(const Index& index) {
  std::string navigation, columns;
  for (const IndexKind& kind : index.kinds) {
    columns += fmt::format("<th scope=\"col\">{}</th>", escape(kind.name));
    if (const std::string page = page_of(index, kind.name, ""); !page.empty())
      navigation += navigation_link(escape(page), escape(kind.name));
  }
  std::string subtitle = escape(index.date);
  if (!index.commit.empty())
    subtitle += fmt::format(" · commit <code>{}</code>", escape(index.commit));
  const std::string body = fill_in(
      index_page_html,
      {{"title", escape(index.title)},
       {"subtitle", subtitle},
       {"cards", kind_cards(index)},
       {"failures", failures(index)},
       {"columns", columns},
       {"rows", index_rows(index)},
       {"changes", changes(index)},
       {"unverified", listed(index, "Without an oracle", kUnverified, "gputest_add_kernel",
                             kNotVerified, &Summary::unverified) +
                          listed(index, "Weak cases", "weak", "generation", kWeak, &Summary::weak) +
                          redundant(index)},
       {"about", fmt::format("{} · {}", escape(index.tool), escape(devices(index)))}});
  return page({.title = index.title,
               .css = std::string(index_css),
               .navigation = navigation,
               .body = body});
}

} // namespace gputest::report
