// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/html_pieces.h"

#include <fmt/format.h>

namespace gputest::report {

std::string card(std::string_view level, std::string_view title, const std::string& number,
                 const std::string& fraction, const CardParts& more) {
  return fmt::format(
      "<li class=\"card {}\"><h3>{}</h3><p class=\"big\">{}</p>{}<p class=\"fraction\">{}</p>{}{}"
      "</li>\n",
      level, title, number, more.bar, fraction,
      more.details ? fmt::format("<p class=\"details\">{}</p>", *more.details) : "", more.end);
}

std::string navigation_link(const std::string& to, const std::string& name,
                            const std::string& bar) {
  return fmt::format("<li><a href=\"{}\"><span class=\"name\">{}</span>{}</a></li>\n", to, name,
                     bar);
}

std::string kernel_anchor(std::size_t kernel) {
  return fmt::format("k{}", kernel);
}

std::string problem(std::string_view level, const std::string& text) {
  return fmt::format("<li class=\"problem {}\">{}</li>\n", level, text);
}

std::string problem(std::string_view level, const std::string& where, const std::string& text) {
  return problem(level, fmt::format("<span class=\"where\">{}</span> {}", where, text));
}

std::string problem_list(const std::string& entries) {
  return entries.empty() ? "" : "<ul class=\"problems\">\n" + entries + "</ul>\n";
}

std::string folded_problems(const std::string& summary, const std::string& entries) {
  return entries.empty() ? ""
                         : fmt::format("<details><summary>{}</summary><ul class=\"problems\">\n{}"
                                       "</ul></details>\n",
                                       summary, entries);
}

std::string without_source(const std::string& file, std::string_view more) {
  return fmt::format("<p class=\"problem warning\">The source of <code>{}</code> was not found. "
                     "Name the directory it is relative to with <code>gputest report "
                     "--source-root</code>.{}</p>\n",
                     file, more);
}

std::string table_head(std::initializer_list<std::string_view> columns) {
  std::string text = "<thead><tr>";
  for (const std::string_view column : columns)
    text += fmt::format("<th scope=\"col\">{}</th>", column);
  return text + "</tr></thead><tbody>\n";
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

} // namespace gputest::report
