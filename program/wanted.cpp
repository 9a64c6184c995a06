// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/wanted.h"

#include "model/file_patterns.h"
#include "model/mutation/sample.h"
#include "program/read_baseline.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::program {

bool MutantFilter::takes(const model::Mutant& mutant) {
  const auto is_named = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const bool is_made = std::ranges::any_of(
      mutant.operators, [&](const std::string& name) { return is_named(wanted_.operators, name); });
  files_.insert(mutant.file);
  functions_.insert(mutant.function);
  const bool is_taken =
      is_made && (wanted_.ids.empty() || is_named(wanted_.ids, mutant.id)) &&
      (wanted_.files.empty() || model::matches_any(wanted_.files, mutant.file)) &&
      (wanted_.functions.empty() || model::matches_any(wanted_.functions, mutant.function)) &&
      changed_.has(mutant);
  if (is_taken)
    taken_.insert(mutant.id);
  return is_taken;
}

void MutantFilter::expect_matches(const std::string& program) const {
  const auto expect = [&](const std::vector<std::string>& patterns,
                          const std::set<std::string>& names, const char* problem) {
    for (const std::string& pattern : patterns)
      if (std::ranges::none_of(
              names, [&](const std::string& name) { return model::matches_any({pattern}, name); }))
        throw RunRefused(fmt::format("{}: {} '{}'; there are mutants in: {}", program, problem,
                                     pattern, fmt::join(names, ", ")));
  };
  expect(wanted_.functions, functions_, "--functions: no mutant is in a function");
  expect(wanted_.files, files_, "--files: no mutant is in a file");
  for (const std::string& id : wanted_.ids)
    if (!taken_.contains(id))
      throw RunRefused(fmt::format("{}: --mutant: '{}' is no mutant that is wanted", program, id));
}

bool MutantFilter::is_in_shard(const model::Mutant& mutant) const {
  return model::draw_number(mutant, 0) % wanted_.shard.of == wanted_.shard.number - 1;
}

std::vector<const model::Mutant*> MutantFilter::drawn(std::vector<const model::Mutant*> mutants,
                                                      model::Mutation& mutation) const {
  mutation.population = static_cast<std::uint64_t>(std::ranges::count_if(
      mutants, [&](const model::Mutant* mutant) { return is_in_shard(*mutant); }));
  if (!wanted_.sample)
    return mutants;
  mutation.sample_seed = wanted_.seed;
  return model::draw(std::move(mutants), *wanted_.sample, wanted_.seed);
}

void MutantFilter::keep_shard(model::Mutation& mutation) const {
  std::erase_if(mutation.results,
                [&](const model::MutantResult& result) { return !is_in_shard(result.mutant); });
}

} // namespace gputest::program
