// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/mutated_sources.h"

#include "model/file_patterns.h"
#include "model/files.h"
#include "runtime/analyses/mutation/selection.h"
#include "runtime/variants/mutation_launch.h"
#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <span>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::Mutant;
using model::MutantKind;
using model::MutantResult;
using model::Verdict;

void add_launch(const model::Sizes& sizes, std::vector<Launch>& launches) {
  Launch launch;
  launch.dimensions = sizes.dimensions;
  for (unsigned i = 0; i < 3; ++i) {
    launch.global_size[i] = sizes.global[i];
    launch.local_size[i] = sizes.local[i];
    launch.global_offset[i] = sizes.offset[i];
  }
  const bool is_known = std::ranges::any_of(launches, [&](const Launch& known) {
    return known.global_size == launch.global_size && known.local_size == launch.local_size;
  });
  if (!is_known)
    launches.push_back(launch);
}

// Whether the mutant changes any launch. If it changes none, it is no mutant.
bool changes_something(const Mutant& mutant, const MutatedSource& source) {
  const auto launches = source.launches.find(mutant.function);
  return mutant.kind != MutantKind::Launch || launches == source.launches.end() ||
         std::ranges::any_of(launches->second, [&](const Launch& launch) {
           return runtime::changed_launch(launch, mutant).has_value();
         });
}

std::string source_text(const std::string& file, const OpenClMutation& settings) {
  for (const fs::path& root : {settings.run.source_root, settings.run_folder / "sources"})
    if (auto text = model::read_text(root / file))
      return *std::move(text);
  return "";
}

} // namespace

void MutatedSources::look(const RunRecords& records) {
  for (const RecordedState& recorded : records.states) {
    const auto program = std::ranges::find_if(records.programs, [&](const BuiltSource& built) {
      return built.process == recorded.process && built.number == recorded.program;
    });
    const auto state = read_state_file(recorded.file);
    if (program == records.programs.end() || !state)
      continue;
    MutatedSource& source = sources_[program->stem];
    source.stem = program->stem;
    source.name = program->name;
    source.device = recorded.device;
    source.kernels.insert(recorded.kernel);
    source.launched += state->launches;
    add_launch(recorded.sizes, source.launches[recorded.kernel]);
    if (std::ranges::find(source.folders, recorded.variant) == source.folders.end())
      source.folders.push_back(recorded.variant);
    const model::MutantTable& table = table_of(tables_, recorded.variant);
    runtime::add_bits(source.reached[recorded.variant], runtime::read_reached(state->bytes, table));
    const auto harm = runtime::read_harm(state->bytes, table);
    if (std::ranges::any_of(harm, [](std::uint32_t word) { return word != 0; }))
      runtime::add_bits(harm_[program->stem + "." + recorded.kernel], harm);
    std::uint32_t& iterations = iterations_[program->stem + "." + recorded.kernel];
    iterations = std::max(
        iterations,
        runtime::read_iterations(std::span(state->bytes).first(runtime::kStateHeaderBytes)));
  }
}

std::map<std::string, std::uint32_t> MutatedSources::budgets() const {
  std::map<std::string, std::uint32_t> budgets;
  for (const auto& [kernel, count] : iterations_)
    budgets[kernel] = runtime::loop_budget(count);
  return budgets;
}

model::Mutation MutatedSources::describe(const MutatedSource& source,
                                         const OpenClMutation& settings, MutantFilter& filter) {
  model::Mutation mutation;
  mutation.name = sources_.size() == 1 ? settings.name : settings.name + "." + source.stem;
  for (const std::string& kernel : source.kernels)
    mutation.kernel += (mutation.kernel.empty() ? "" : ", ") + kernel;
  mutation.device = source.device;
  mutation.cases = {settings.name};
  mutation.operators = settings.wanted.operators;
  mutation.repeat = 1;
  mutation.threshold = settings.threshold;
  mutation.since = settings.wanted.since;
  mutation.functions = settings.wanted.functions;
  mutation.files = settings.wanted.files;
  const std::vector<Mutant> mutants = selected(source, settings, filter, mutation);
  for (const Mutant& mutant : mutants) {
    if (!mutation.sources.contains(mutant.file))
      mutation.sources[mutant.file] = source_text(mutant.file, settings);
    mutation.results.push_back(without_run(mutant, source, settings.name));
  }
  filter.keep_shard(mutation);
  for (const std::string& kernel : source.kernels)
    if (const auto harm = harm_.find(source.stem + "." + kernel); harm != harm_.end())
      for (const auto& entry :
           runtime::harm_entries(harm->second, table_of(tables_, source.folders.front())))
        if (std::ranges::find(mutation.not_mutated, entry) == mutation.not_mutated.end())
          mutation.not_mutated.push_back(entry);
  mutation.source = mutants.empty() ? source.name : mutants.front().file;
  return mutation;
}

std::vector<Mutant> MutatedSources::selected(const MutatedSource& source,
                                             const OpenClMutation& settings, MutantFilter& filter,
                                             model::Mutation& mutation) {
  std::vector<Mutant> mutants;
  std::set<std::string> known;
  for (const fs::path& folder : source.folders) {
    const model::MutantTable& table = table_of(tables_, folder);
    for (const auto& entry : table.not_mutated)
      if (std::ranges::find(mutation.not_mutated, entry) == mutation.not_mutated.end())
        mutation.not_mutated.push_back(entry);
    for (const Mutant& mutant : table.mutants) {
      if (changes_something(mutant, source) &&
          !model::matches_any(settings.run.exclude, mutant.file) && filter.takes(mutant) &&
          known.insert(mutant.id).second)
        mutants.push_back(mutant);
    }
  }
  std::vector<const Mutant*> all;
  for (const Mutant& mutant : mutants)
    all.push_back(&mutant);
  std::vector<Mutant> sample;
  for (const Mutant* const mutant : filter.drawn(std::move(all), mutation))
    sample.push_back(*mutant);
  mutants = std::move(sample);
  std::set<std::string> chosen;
  for (const Mutant& mutant : mutants)
    chosen.insert(mutant.id);
  for (Mutant& mutant : mutants)
    if (!chosen.contains(mutant.duplicate_of))
      mutant.duplicate_of.clear(); // the one it equals does not run
  return mutants;
}

bool MutatedSources::is_reached(const Mutant& mutant, const MutatedSource& source) {
  if (mutant.kind == MutantKind::Launch)
    return source.kernels.contains(mutant.function);
  for (const fs::path& folder : source.folders) {
    const model::MutantTable& table = table_of(tables_, folder);
    const Mutant* here = table.find(mutant.id);
    if (!here)
      continue;
    const auto calls = [&](const std::string& kernel) {
      return runtime::is_reachable(table, kernel, here->function);
    };
    if (here->kind == MutantKind::Switched
            ? runtime::is_reached(source.reached.at(folder), here->site)
            : std::ranges::any_of(source.kernels, calls))
      return true;
  }
  return false;
}

MutantResult MutatedSources::without_run(const Mutant& mutant, const MutatedSource& source,
                                         const std::string& program) {
  MutantResult result;
  result.mutant = mutant;
  result.verdict = mutant.ignored                 ? Verdict::Ignored
                   : mutant.equivalent            ? Verdict::Equivalent
                   : !mutant.duplicate_of.empty() ? Verdict::Duplicate
                   : is_reached(mutant, source)   ? Verdict::Survived
                                                  : Verdict::NoCoverage;
  result.detail = mutant.ignored                ? mutant.ignore_reason
                  : mutant.duplicate_of.empty() ? mutant.proof
                                                : "of " + mutant.duplicate_of;
  if (result.verdict == Verdict::Survived) // not yet known
    result.reached_by = {program};
  return result;
}

} // namespace gputest::program
