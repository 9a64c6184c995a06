// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/mutants_html.h"
#include "embedded/mutation_css.h"
#include "embedded/mutation_js.h"
#include "embedded/report_js.h"
#include "model/names.h"
#include "model/operators.h"
#include "model/time/over.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/kernel_links.h"
#include "report/common/mutant_text.h"
#include "report/common/site.h"
#include "report/common/text.h"
#include "report/mutation/outputs.h"
#include "report/mutation/source.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

using model::Tallies;
using model::Verdict;

constexpr std::size_t kListed = 200; // survivors in the list at the top; all are in the source

std::string not_scored_caption(const Tallies& tallies) {
  std::string text;
  for (const Verdict verdict :
       {Verdict::Equivalent, Verdict::Duplicate, Verdict::Ignored, Verdict::CompileError})
    if (const std::uint64_t count = tallies.of(verdict); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ", count, model::name_of(verdict));
  if (tallies.indistinct > 0)
    text += fmt::format("{}{} of fences that no test told apart", text.empty() ? "" : " · ",
                        tallies.indistinct);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string count_card(const Tallies& tallies, Verdict verdict, const char* title,
                       const char* bad_level, const char* details) {
  const std::uint64_t count = tallies.of(verdict);
  return card(count == 0 ? "full" : bad_level, title, std::to_string(count),
              fmt::format("of {} scored", tallies.scored()), {.details = details});
}

std::string cards(const Tallies& tallies) {
  const model::Tally score = score_of(tallies);
  std::string text =
      card(level_of(score), "score", percent_text(score),
           score.total == 0 ? "no mutant counts"
                            : fmt::format("{} of {} killed", score.covered, score.total),
           {.bar = bar(score),
            .details = tallies.of(Verdict::Timeout) > 0
                           ? fmt::format("{} of them timed out", tallies.of(Verdict::Timeout))
                           : ""});
  text += count_card(tallies, Verdict::Survived, "survived", "fair",
                     "every case that reaches it passes");
  text += count_card(tallies, Verdict::NoCoverage, "no coverage", "poor", "no case reaches it");
  text += count_card(tallies, Verdict::Undecided, "undecided", "fair",
                     "noticed in some runs, not in others");
  const std::string of_all = fmt::format("of {}", plural(tallies.total, "mutant"));
  if (const std::uint64_t left = tallies.of(Verdict::NotRun); left > 0)
    text += card("fair", "not run", std::to_string(left), of_all,
                 {.details = "the time limit was over; run again to go on"});
  text += card("nothing", "not scored", std::to_string(not_scored(tallies)), of_all,
               {.details = not_scored_caption(tallies)});
  return text;
}

std::string number_cell(const char* label, std::uint64_t number) {
  return fmt::format("<td data-label=\"{}\"><span class=\"number {}\">{}</span></td>", label,
                     number > 0 ? "some" : "none", number);
}

std::string tally_cells(const Tallies& tallies) {
  const model::Tally score = score_of(tallies);
  return fmt::format(
             "<td data-label=\"score\" class=\"{}\"><span class=\"value\"><span class=\"percent\">"
             "{}</span> <span class=\"fraction\">{}</span></span>{}</td>",
             level_of(score), percent_text(score),
             score.total == 0 ? "" : fmt::format("{}/{}", score.covered, score.total), bar(score)) +
         number_cell("survived", tallies.of(Verdict::Survived)) +
         number_cell("no coverage", tallies.of(Verdict::NoCoverage)) +
         number_cell("undecided", tallies.of(Verdict::Undecided)) +
         fmt::format("<td data-label=\"not scored\"><span class=\"number {}\">{}</span></td>",
                     "none", not_scored(tallies));
}

// Returns remarks on a kernel's results besides their numbers.
std::string remarks(const model::Mutation& kernel, const Tallies& tallies) {
  std::vector<std::string> parts;
  if (kernel.name != kernel.kernel)
    parts.push_back(elide_middle(clean(kernel.name), 60));
  if (!kernel.source.empty())
    parts.push_back(kernel.source);
  if (!kernel.since.empty())
    parts.push_back("lines changed since " + kernel.since);
  if (kernel.sample_seed) {
    const auto interval = model::confidence(tallies, kernel.population);
    parts.push_back(fmt::format("a sample of {} of {} mutants, seed {}", kernel.results.size(),
                                kernel.population, *kernel.sample_seed));
    if (interval)
      parts.push_back(fmt::format("with 95 % confidence {:.1f} to {:.1f} % of all", interval->low,
                                  interval->high));
  }
  if (const std::uint64_t left = tallies.of(Verdict::NotRun); left > 0)
    parts.push_back(fmt::format("{} not run: {}", left, model::over_text(kernel.time_limit)));
  if (kernel.executed > 0)
    parts.push_back(fmt::format("{} run in {:.3g} s", kernel.executed, kernel.seconds));
  if (!kernel.oracle.empty())
    parts.push_back("oracle: " + clean(kernel.oracle));
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : " · ") + escape(part);
  return text;
}

std::string row(const std::string& label, const std::string& sub, const Tallies& tallies,
                const std::string& last, bool is_all = false) {
  return fmt::format("<tr{}><th scope=\"row\">{}<span class=\"sub\">{}</span></th>{}{}</tr>\n",
                     is_all ? " class=\"all\"" : "", label, sub, tally_cells(tallies), last);
}

// Returns a link to the first line with a mutant of the kernel; its name if there is none.
std::string linked_name(const model::Mutation& kernel, const std::vector<MutatedFile>& files) {
  std::string name = escape(elide_middle(clean(kernel.kernel), 60));
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const auto& [number, mutants] : files[i].lines)
      for (const Entry* entry : mutants)
        if (entry->kernel == &kernel)
          return fmt::format("<a href=\"#{}\">{}</a>", anchor_of(i, number), name);
  return name;
}

std::string kernel_rows(const MutationReport& report, const std::vector<MutatedFile>& files) {
  std::string text;
  std::size_t cases = 0;
  const auto cases_cell = [](std::size_t count) {
    return fmt::format("<td class=\"cases\" data-label=\"cases\">{}</td>", count);
  };
  for (const model::Mutation& kernel : report.kernels) {
    const Tallies tallies = model::tally(kernel.results);
    cases += kernel.cases.size();
    text += row(kernel_ids(kernel.name, kernel.kernel) + linked_name(kernel, files),
                remarks(kernel, tallies), tallies, cases_cell(kernel.cases.size()));
  }
  if (report.kernels.size() > 1)
    text += row("all", "", tally(report), cases_cell(cases), true);
  return text;
}

// Returns "a → b" for "a -> b".
std::string with_arrows(std::string_view summary) {
  std::string text(summary);
  for (std::size_t at = 0; (at = text.find("->", at)) != std::string::npos;)
    text.replace(at, 2, "→");
  return text;
}

std::string operator_rows(const MutationReport& report) {
  std::string text;
  for (const auto& [name, tallies] : model::tally_by_operator(report.kernels)) {
    const model::MutationOperator* known = model::find_operator(name);
    text += row(known ? linked_to_site(escape(name), "operator-" + name) : escape(name),
                known ? escape(with_arrows(known->summary)) : "", tallies, "");
  }
  return text;
}

// Returns what fails and, folded below it, what could not be mutated.
std::string serious(const MutationReport& report) {
  std::string text, warnings;
  std::size_t count = 0;
  for (const model::Mutation& kernel : report.kernels) {
    const std::string label = escape(label_of(kernel));
    const auto score = model::tally(kernel.results).score();
    if (kernel.threshold && score && *score < *kernel.threshold)
      text += problem("error", label,
                      fmt::format("the score of {:.4g} % is below the threshold of {:g} %", *score,
                                  *kernel.threshold));
    if (!kernel.deterministic)
      text += problem("warning", label,
                      "the kernel itself does not compute the same each time; comparisons allow "
                      "for that");
    count += kernel.not_mutated.size();
    for (const model::NotInstrumented& entry : kernel.not_mutated)
      warnings +=
          problem("warning", fmt::format("{}:{}:{}", escape(entry.file), entry.line, entry.column),
                  fmt::format("{} not mutated: {}", escape(entry.construct), escape(entry.reason)));
  }
  return problem_list(text) + folded_problems(plural(count, "warning"), warnings);
}

using Together = std::vector<const Entry*>;

// Lists each entry by itself.
template <typename Listed>
std::vector<Together> those(const std::vector<const Entry*>& mutants, Listed is_listed) {
  std::vector<Together> result;
  for (const Entry* entry : mutants)
    if (is_listed(*entry->result))
      result.push_back({entry});
  return result;
}

// <details> with a list of the mutants of each line that `choose` names.
template <typename Choose>
std::string list(const std::vector<MutatedFile>& files, const std::string& title, Choose choose) {
  std::string items;
  std::size_t count = 0, told = 0, entries = 0;
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const auto& [number, mutants] : files[i].lines)
      for (const Together& together : choose(mutants)) {
        count += together.size();
        if (++entries > kListed)
          continue;
        told += together.size();
        items +=
            fmt::format("<li class=\"problem missing\"><a class=\"where\" href=\"#{}\">{}:{}:{}"
                        "</a> {}</li>\n",
                        anchor_of(i, number), escape(files[i].name), number,
                        together.front()->place.column, told_html(together));
      }
  if (count > told)
    items +=
        fmt::format("<li class=\"problem\">and {} more, in the source below</li>\n", count - told);
  return folded_problems(fmt::format("{} {}", plural(count, "mutant"), title), items);
}

std::string problems(const MutationReport& report, const std::vector<MutatedFile>& files) {
  using Mutants = std::vector<const Entry*>;
  const std::string survivors = list(files, "that no test case notices",
                                     [](const Mutants& mutants) { return unnoticed(mutants); });
  const std::string fences =
      list(files, "of fences that no test told apart; not scored, as hardly a device does",
           [](const Mutants& mutants) { return those(mutants, model::is_indistinct); });
  const std::string ignored = list(files, "ignored", [](const Mutants& mutants) {
    return those(mutants, [](const model::MutantResult& result) {
      return result.verdict == Verdict::Ignored;
    });
  });
  const Tallies tallies = tally(report);
  std::string text = serious(report);
  if (tallies.total == 0)
    text += "<p class=\"problem\">There are no mutants.</p>\n";
  else if (tallies.scored() > 0 && tallies.detected() == tallies.scored())
    text += "<p class=\"problem ok\">Every mutant that counts was noticed.</p>\n";
  return text + survivors + fences + ignored;
}

std::string file_section(const MutatedFile& file, std::size_t index) {
  const model::Tally score = score_of(file.tallies);
  std::string text = fmt::format(
      "<section class=\"file\" id=\"f{0}\" aria-labelledby=\"f{0}-name\">\n"
      "<header><h2 id=\"f{0}-name\">{1}</h2><p><span class=\"tally {2}\">killed <b>{3}/{4}</b>"
      "</span> <span class=\"tally\">{5}</span></p></header>\n",
      index, breakable(file.key), level_of(score), score.covered, score.total,
      plural(file.tallies.total, "mutant"));
  if (!file.is_known)
    text += without_source(escape(file.name));
  return text + mutated_source(file, index) + "</section>\n";
}

std::string navigation(const std::vector<MutatedFile>& files) {
  std::string text;
  for (std::size_t i = 0; i < files.size(); ++i)
    text += navigation_link(fmt::format("#f{}", i), breakable(files[i].key),
                            bar(score_of(files[i].tallies)));
  return text;
}

std::string subtitle(const MutationReport& report) {
  std::string devices;
  std::uint64_t mutants = 0;
  for (const model::Mutation& kernel : report.kernels) {
    mutants += kernel.results.size();
    model::add_name(devices, kernel.device);
  }
  return fmt::format("{} · {}{}", plural(report.kernels.size(), "kernel"),
                     plural(mutants, "mutant"), devices.empty() ? "" : " · " + escape(devices));
}

std::string oracle_problems(const MutationReport& report) {
  std::string text;
  for (const std::string& said : without_oracle(report))
    text += "<p class=\"problem warning\">" + escape(said) + "</p>\n";
  return text;
}

} // namespace

PartedPage mutation_page(const MutationReport& report, const std::string& file) {
  const std::vector<Entry> entries = entries_of(report);
  const std::vector<MutatedFile> files = files_of(report, entries);
  const auto data = [&](SourceRange sources) {
    return fmt::format("<script type=\"application/json\" id=\"mutants\">{}</script>\n",
                       mutant_data(report, files, sources));
  };
  PartedBody body{.whole =
                      [&](const std::string& sections, SourceRange sources) {
                        return fill_in(mutants_html, {{"title", escape(report.title)},
                                                      {"subtitle", subtitle(report)},
                                                      {"oracle", oracle_problems(report)},
                                                      {"cards", cards(tally(report))},
                                                      {"kernels", kernel_rows(report, files)},
                                                      {"operators", operator_rows(report)},
                                                      {"problems", problems(report, files)},
                                                      {"files", sections},
                                                      {"data", data(sources)}});
                      },
                  .end = data};
  for (std::size_t i = 0; i < files.size(); ++i)
    body.sections.push_back(file_section(files[i], i));
  return parted({.title = report.title,
                 .css = std::string(mutation_css),
                 .script = std::string(report_js) + std::string(mutation_js),
                 .navigation = navigation(files),
                 .gap = "survivor",
                 .body = ""},
                body, file);
}

} // namespace gputest::report
