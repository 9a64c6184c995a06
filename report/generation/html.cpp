// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/generation/html.h"

#include "embedded/generation_css.h"
#include "embedded/generation_page_html.h"
#include "report/common/highlight.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

struct Words {
  GoalState state;
  const char* css;
  const char* outcome;
  const char* mutant;
};
constexpr std::array<Words, 4> kStates{{{GoalState::Open, "poor", "open", "left"},
                                        {GoalState::Blocked, "poor", "blocked by a fault", ""},
                                        {GoalState::Impossible, "fair", "impossible", "equivalent"},
                                        {GoalState::Reached, "full", "reached", "killed"}}};

std::size_t count(const std::vector<GenerationGoal>& goals, GoalState state) {
  return static_cast<std::size_t>(std::ranges::count(goals, state, &GenerationGoal::state));
}

// Returns cards with the numbers of all kernels together.
std::string cards(const std::vector<GenerationResult>& results) {
  std::vector<GenerationGoal> outcomes, mutants;
  std::size_t cases = 0;
  for (const GenerationResult& result : results) {
    outcomes.insert(outcomes.end(), result.outcomes.begin(), result.outcomes.end());
    mutants.insert(mutants.end(), result.mutants.begin(), result.mutants.end());
    cases += result.cases.size();
  }
  const std::size_t open = count(outcomes, GoalState::Open);
  std::string text;
  const auto add = [&](const char* title, const char* level, std::size_t number,
                       const std::string& below) {
    text += card(level, title, std::to_string(number), below);
  };
  add("outcomes reached", open + count(outcomes, GoalState::Blocked) == 0 ? "full" : "fair",
      count(outcomes, GoalState::Reached), fmt::format("of {}", outcomes.size()));
  add("proved impossible", "", count(outcomes, GoalState::Impossible), "outcomes");
  if (const std::size_t blocked = count(outcomes, GoalState::Blocked); blocked != 0)
    add("blocked by a fault", "poor", blocked, "outcomes");
  add("open", open == 0 ? "full" : "poor", open, "outcomes");
  if (!mutants.empty())
    add("mutants killed", count(mutants, GoalState::Open) == 0 ? "full" : "fair",
        count(mutants, GoalState::Reached),
        fmt::format("of {}, {} equivalent", mutants.size(), count(mutants, GoalState::Impossible)));
  add("new cases", "", cases, "written");
  return text;
}

std::string tally(const std::vector<GenerationGoal>& goals) {
  return fmt::format("{}/{}", count(goals, GoalState::Reached),
                     goals.size() - count(goals, GoalState::Impossible));
}

std::string rows(const std::vector<GenerationResult>& results) {
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const GenerationResult& result = results[i];
    text += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#{}\">{}</a><span class=\"sub\">{} · {}</span></th>"
        "<td data-label=\"outcomes\" class=\"{}\">{}</td><td data-label=\"mutants\">{}</td>"
        "<td data-label=\"new cases\">{}</td></tr>\n",
        kernel_anchor(i), escape(result.kernel), escape(result.source), escape(result.cost),
        count(result.outcomes, GoalState::Open) + count(result.outcomes, GoalState::Blocked) == 0
            ? "full"
            : "poor",
        tally(result.outcomes), result.mutants.empty() ? "–" : tally(result.mutants),
        result.cases.size());
  }
  return text;
}

// Returns the line in the source, below what is to be reached.
std::string source_line(const std::string& text) {
  if (text.empty())
    return "";
  std::string code;
  write_code(text, highlight({text}).front(), {}, std::back_inserter(code));
  return "<span class=\"line\">" + code + "</span>";
}

// Lists goals: open ones first, and reached ones folded.
std::string goals_html(const char* title, const std::vector<GenerationGoal>& goals, bool mutants) {
  std::string text;
  for (const Words& words : kStates) {
    const std::size_t number = count(goals, words.state);
    if (number == 0)
      continue;
    const char* const word = mutants ? words.mutant : words.outcome;
    text += fmt::format("<details class=\"goals\"{}><summary>{} {}: <b class=\"{}\">{}</b>"
                        "</summary>\n<ul>\n",
                        words.state == GoalState::Reached ? "" : " open", title, word, words.css,
                        number);
    for (const GenerationGoal& goal : goals) {
      if (goal.state != words.state)
        continue;
      text += fmt::format(
          "<li class=\"{}\"><span class=\"where\">{}:{}</span>"
          "<code>{}{}</code><span class=\"answer\">{}{}</span></li>\n",
          words.css, goal.line, goal.column, escape(goal.what), source_line(goal.code),
          goal.id.empty() ? "" : fmt::format("<span class=\"id\">{}</span> ", escape(goal.id)),
          escape(goal.answer));
    }
    text += "</ul></details>\n";
  }
  return text;
}

std::string cases_html(const GenerationResult& result) {
  if (result.cases.empty())
    return "<p class=\"cases\">No case was written.</p>\n";
  std::string text = "<ul class=\"written\">\n";
  for (const GenerationCase& one : result.cases) {
    text += fmt::format("<li><code>{}</code> <span class=\"gain\">{}{}</span>", escape(one.file),
                        plural(one.outcomes, "outcome"),
                        one.kills == 0 ? "" : ", kills " + plural(one.kills, "mutant"));
    for (const std::string& remark : one.remarks)
      text += fmt::format("<span class=\"remark\">{}</span>", escape(remark));
    text += "</li>\n";
  }
  return text + "</ul>\n";
}

std::string section(const GenerationResult& result, std::size_t index) {
  std::string findings;
  for (const std::string& finding : result.findings)
    findings += fmt::format("<li class=\"problem\">{}</li>\n", escape(finding));
  return fmt::format(
      "<section id=\"{}\" class=\"generated\"><h2>{}</h2>\n{}{}{}{}</section>\n",
      kernel_anchor(index), escape(result.kernel), goals_html("Outcomes", result.outcomes, false),
      goals_html("Mutants", result.mutants, true), cases_html(result),
      findings.empty() ? "" : "<h3>What else came up</h3>\n" + problem_list(findings));
}

} // namespace

std::string generation_html(const std::vector<GenerationResult>& results) {
  std::string navigation, sections;
  for (std::size_t i = 0; i < results.size(); ++i) {
    navigation += navigation_link('#' + kernel_anchor(i), escape(results[i].kernel));
    sections += section(results[i], i);
  }
  const std::string source = results.empty() ? "" : results.front().source;
  return page({.title = "Generated cases",
               .css = std::string(generation_css),
               .navigation = navigation,
               .body = fill_in(generation_page_html, {{"title", "Generated cases"},
                                                      {"subtitle", escape(source)},
                                                      {"cards", cards(results)},
                                                      {"kernels", rows(results)},
                                                      {"sections", sections}})});
}

} // namespace gputest::report
