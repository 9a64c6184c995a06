// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/selection.h"

#include "gputest/error.h"
#include "model/file_patterns.h"
#include "model/mutation/sample.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace gputest::runtime {
namespace {

using model::Mutant;

void expect_ids(const model::MutantTable& table, const std::vector<std::string>& ids) {
  std::set<std::string_view> known;
  for (const Mutant& mutant : table.mutants)
    known.insert(mutant.id);
  for (const std::string& id : ids)
    if (!known.contains(id))
      throw UsageError(fmt::format("{}: error: there is no mutant '{}'; `gputest mutants` lists "
                                   "those there are",
                                   table.source, id));
}

// Each function that is named, and each pattern, must have mutants in the kernel.
void expect_places(const model::MutantTable& table, const std::string& kernel,
                   const MutationPlan& plan) {
  std::set<std::string> functions, files;
  for (const Mutant& mutant : table.mutants)
    if (is_reachable(table, kernel, mutant.function)) {
      functions.insert(mutant.function);
      files.insert(mutant.file);
    }
  for (const std::string& name : plan.functions)
    if (std::ranges::none_of(functions, [&](const std::string& function) {
          return model::matches_any({name}, function);
        }))
      throw UsageError(fmt::format("{}: error: --functions: no mutant is in a function '{}'; there "
                                   "are mutants in: {}",
                                   table.source, name, fmt::join(functions, ", ")));
  for (const std::string& pattern : plan.files)
    if (std::ranges::none_of(
            files, [&](const std::string& file) { return model::matches_any({pattern}, file); }))
      throw UsageError(fmt::format("{}: error: --files: no file with mutants matches '{}'; there "
                                   "are: {}",
                                   table.source, pattern, fmt::join(files, ", ")));
}

bool is_wanted(const Mutant& mutant, const MutationPlan& plan) {
  return (plan.functions.empty() || model::matches_any(plan.functions, mutant.function)) &&
         (plan.files.empty() || model::matches_any(plan.files, mutant.file));
}

void replace_missing_firsts(model::MutantTable& table, const std::vector<const Mutant*>& selected) {
  const std::set<const Mutant*> chosen(selected.begin(), selected.end());
  std::set<std::string> ids;
  for (const Mutant* mutant : selected)
    ids.insert(mutant->id);
  std::map<std::string, std::string> instead; // by the id of a first mutant that is not selected
  for (Mutant& mutant : table.mutants) {
    if (mutant.duplicate_of.empty() || !chosen.contains(&mutant) ||
        ids.contains(mutant.duplicate_of))
      continue;
    const auto [entry, is_first] = instead.try_emplace(mutant.duplicate_of, mutant.id);
    mutant.duplicate_of = is_first ? "" : entry->second;
  }
}

} // namespace

bool is_changed(const Mutant& mutant, const ChangedLines& changed) {
  const auto file = changed.find(mutant.file);
  return file != changed.end() && std::ranges::any_of(file->second, [&](const auto& lines) {
           return lines.first <= std::max(mutant.line, mutant.end_line) &&
                  mutant.line <= lines.second;
         });
}

bool is_reachable(const model::MutantTable& table, const std::string& kernel,
                  const std::string& function) {
  if (function.empty())
    return true;
  const auto found = std::ranges::find(table.kernels, kernel, &model::MutatedKernel::name);
  return found != table.kernels.end() &&
         std::ranges::find(found->functions, function) != found->functions.end();
}

MutantSelection select_mutants(model::MutantTable& table, const std::string& kernel,
                               const MutationPlan& plan,
                               const std::optional<ChangedLines>& changed) {
  expect_ids(table, plan.mutants);
  expect_places(table, kernel, plan);
  const std::set<std::string> operators(plan.operators.begin(), plan.operators.end());
  const std::set<std::string> ids(plan.mutants.begin(), plan.mutants.end());
  const auto in_shard = [&](const Mutant* mutant) {
    return model::draw_number(*mutant, 0) % plan.shard.of == plan.shard.number - 1;
  };
  MutantSelection selection;
  for (Mutant& mutant : table.mutants) {
    const bool is_made = std::ranges::any_of(
        mutant.operators, [&](const std::string& name) { return operators.contains(name); });
    if (is_made && is_reachable(table, kernel, mutant.function) && is_wanted(mutant, plan) &&
        (ids.empty() || ids.contains(mutant.id)) && (!changed || is_changed(mutant, *changed)))
      selection.mutants.push_back(&mutant);
  }
  selection.population =
      static_cast<std::uint64_t>(std::ranges::count_if(selection.mutants, in_shard));
  if (plan.sample)
    selection.mutants = model::draw(std::move(selection.mutants), *plan.sample, plan.seed);
  replace_missing_firsts(table, selection.mutants);
  std::erase_if(selection.mutants, [&](const Mutant* mutant) { return !in_shard(mutant); });
  return selection;
}

} // namespace gputest::runtime
