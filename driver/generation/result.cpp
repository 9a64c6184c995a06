// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/result.h"

#include "ir/places.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace gputest::driver {
namespace {

using report::GenerationGoal;
using report::GoalState;
using testgen::Goal;
using testgen::OpenGoal;

// Returns the line of the kernel's file, without white space around it; empty: it is of another
// file.
std::string line_of(const std::vector<std::string>& lines, const testgen::Target& target,
                    const std::string& file, unsigned line) {
  namespace fs = std::filesystem;
  if (line == 0 || line > lines.size() ||
      fs::path(file).filename() != fs::path(target.file).filename())
    return "";
  const std::string& text = lines[line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

GenerationGoal described(const Goal& goal, const testgen::Target& target,
                         const std::vector<std::string>& lines) {
  GenerationGoal result;
  if (goal.mutant) {
    result.line = goal.mutant->line;
    result.column = goal.mutant->column;
    result.what = fmt::format("{} → {}", goal.mutant->text, goal.mutant->replacement);
    result.id = goal.mutant->id;
    result.code = line_of(lines, target, goal.mutant->file, goal.mutant->line);
    return result;
  }
  const model::Site& site = target.sites.sites[goal.site];
  const std::string_view word =
      site.kind.empty() ? model::name_of(site.criterion) : std::string_view(site.kind);
  result.line = site.line;
  result.column = site.column;
  result.code = line_of(lines, target, site.file, site.line);
  // The text of loops and barriers begins with the word.
  result.what = fmt::format("{}{}: {}", site.text.starts_with(word) ? "" : fmt::format("{} ", word),
                            site.text, site.outcomes[goal.outcome].name);
  return result;
}

// Adds the goals. `known`: goals that have another answer than a case.
void add(const std::vector<OpenGoal>& known, GoalState state, const Goal& goal,
         GenerationGoal& to) {
  const auto found =
      std::ranges::find_if(known, [&](const OpenGoal& one) { return one.goal.bit == goal.bit; });
  if (found == known.end())
    return;
  to.state = state;
  to.answer = found->why;
}

GenerationGoal answered(const Goal& goal, const testgen::Target& target,
                        const testgen::Generated& generated, const std::vector<std::string>& lines,
                        const std::vector<OpenGoal>& impossible,
                        const std::vector<OpenGoal>& open) {
  GenerationGoal result = described(goal, target, lines);
  const auto by = generated.by_case.find(goal.bit);
  result.state = GoalState::Reached;
  result.answer = by == generated.by_case.end() ? "by no case that is kept" : by->second;
  add(impossible, GoalState::Impossible, goal, result);
  add(open, GoalState::Open, goal, result);
  add(generated.blocked, GoalState::Blocked, goal, result);
  return result;
}

} // namespace

report::GenerationResult generation_result(const testgen::Target& target,
                                           const testgen::Generated& generated) {
  report::GenerationResult result;
  result.kernel = target.kernel();
  result.source = target.file;
  std::vector<std::string> lines;
  std::ifstream stream(target.file);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(std::move(line));
  result.cost = fmt::format("{} launches in {:.1f} s", generated.launches, generated.seconds);
  result.busy = generated.busy;
  for (const Goal& goal : generated.goals)
    result.outcomes.push_back(
        answered(goal, target, generated, lines, generated.impossible, generated.open));
  if (generated.mutants)
    for (const Goal& goal : generated.mutants->all)
      result.mutants.push_back(answered(goal, target, generated, lines,
                                        generated.mutants->equivalent, generated.mutants->left));
  for (const testgen::Written& written : generated.written) {
    report::GenerationCase& one = result.cases.emplace_back();
    one.file = written.file.string();
    one.outcomes = written.goals.size();
    one.kills = written.kills.size();
    if (written.recorded)
      one.remarks.emplace_back("expected outputs are recorded, not verified");
    if (!written.not_recorded.empty())
      one.remarks.push_back(written.not_recorded);
    for (const std::string& fault : written.assumes_fixed)
      one.remarks.push_back("assumes that this is fixed: " + fault);
    if (!written.weak.empty())
      one.remarks.push_back("weak: " + written.weak);
  }
  for (const testgen::Guard& guard : generated.guards)
    result.findings.push_back(fmt::format(
        "{}{}: {}{}", ir::place_prefix(guard.finding.site), guard.finding.kind,
        guard.condition.empty() ? "" : "if " + guard.condition + ": ", guard.finding.message));
  result.findings.insert(result.findings.end(), generated.notes.begin(), generated.notes.end());
  return result;
}

} // namespace gputest::driver
