// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/mutants.h"

#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "program/cuda/survivors.h"

#include <algorithm>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::MutantResult;
using model::Verdict;

std::string key_of(const model::Mutant& mutant) {
  return mutant.file + "\n" + mutant.id;
}

} // namespace

void CudaMutants::add(const UnitRecord& unit, model::Mutation& mutation) {
  const model::MutantTable table = model::read_mutant_table(unit.folder / "mutants.json");
  if (!table.compared)
    not_compared_.insert(unit.folder);
  for (const model::NotInstrumented& entry : table.not_mutated)
    if (std::ranges::find(mutation.not_mutated, entry) == mutation.not_mutated.end())
      mutation.not_mutated.push_back(entry);
  for (const model::Mutant& mutant : table.mutants) {
    if (!filter_.takes(mutant))
      continue;
    const auto [known, is_new] = switches_.try_emplace(key_of(mutant));
    known->second.places.push_back(
        {unit.folder, mutant.number, mutant.equivalent, mutant.duplicate_of});
    const unsigned bit = mutant.site;
    const std::size_t word = model::kCudaReached + bit / 32;
    if (word < unit.state.size() && (unit.state[word] >> bit % 32 & 1) != 0)
      known->second.reached = true;
    if (is_new) {
      mutation.results.emplace_back().mutant = mutant;
      if (!mutation.sources.contains(mutant.file))
        mutation.sources[mutant.file] = model::read_text(root_ / mutant.file).value_or("");
    }
  }
}

void CudaMutants::draw(model::Mutation& mutation) const {
  std::vector<const model::Mutant*> all;
  for (const MutantResult& result : mutation.results)
    all.push_back(&result.mutant);
  std::vector<MutantResult> sample;
  for (const model::Mutant* const mutant : filter_.drawn(std::move(all), mutation))
    sample.emplace_back().mutant = *mutant;
  mutation.results = std::move(sample);
}

void CudaMutants::mark(model::Mutation& mutation,
                       const std::function<bool(const MutantResult&)>& is_wanted) const {
  std::map<std::string, std::vector<const Switch*>> by_id;
  for (const MutantResult& result : mutation.results)
    if (is_wanted(result))
      by_id[result.mutant.id].push_back(&switch_of(result.mutant));
  for (MutantResult& result : mutation.results) {
    if (!is_wanted(result))
      continue;
    const Switch& own = switch_of(result.mutant);
    const std::string& of = own.places.front().duplicate_of;
    const auto first = by_id.find(of);
    const bool is_duplicate = first != by_id.end() && first->second.size() == 1 &&
                              first->second.front()->is_in_sources_of(own) &&
                              std::ranges::all_of(own.places, [&](const Switch::Place& place) {
                                return place.duplicate_of == of;
                              });
    result.mutant.equivalent = std::ranges::all_of(own.places, &Switch::Place::equivalent);
    result.mutant.duplicate_of = is_duplicate ? of : "";
  }
}

bool CudaMutants::decide(MutantResult& result) {
  if (result.mutant.equivalent) {
    result.verdict = Verdict::Equivalent;
    result.detail = result.mutant.proof;
  } else if (!result.mutant.duplicate_of.empty()) {
    result.verdict = Verdict::Duplicate;
    result.detail = "of " + result.mutant.duplicate_of;
  } else {
    return false;
  }
  return true;
}

void CudaMutants::compare_survivors(model::Mutation& mutation, const fs::path& passes,
                                    const fs::path& scratch) {
  const auto survived = [](const MutantResult& result) {
    return result.verdict == Verdict::Survived;
  };
  std::map<fs::path, std::set<std::string>> ids;
  for (const MutantResult& result : mutation.results)
    if (survived(result))
      for (const Switch::Place& place : switch_of(result.mutant).places)
        if (not_compared_.contains(place.folder))
          ids[place.folder].insert(result.mutant.id);
  if (ids.empty())
    return;
  const auto tables = compare_mutants_of(ids, passes, scratch);
  for (auto& [key, one] : switches_)
    for (Switch::Place& place : one.places)
      if (const auto table = tables.find(place.folder); table != tables.end())
        if (const auto found =
                std::ranges::find(table->second.mutants, place.number, &model::Mutant::number);
            found != table->second.mutants.end()) {
          place.equivalent = found->equivalent;
          place.duplicate_of = found->duplicate_of;
        }
  for (const auto& [folder, table] : tables)
    mutation.not_mutated.insert(mutation.not_mutated.end(), table.not_mutated.begin(),
                                table.not_mutated.end());
  mark(mutation, survived);
  for (MutantResult& result : mutation.results)
    if (survived(result))
      decide(result);
}

const Switch& CudaMutants::switch_of(const model::Mutant& mutant) const {
  return switches_.at(key_of(mutant));
}

} // namespace gputest::program
