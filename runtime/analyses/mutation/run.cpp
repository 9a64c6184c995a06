// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --mutation and --verify: the part of the parent process.
#include "gputest/error.h"
#include "model/clock.h"
#include "model/files.h"
#include "model/json.h"
#include "model/mutation/progress.h"
#include "model/mutation/worth.h"
#include "runtime/analyses/mutation/session.h"
#include "runtime/analyses/mutation/shards.h"
#include "runtime/analyses/mutation/since.h"
#include "runtime/analyses/mutation/survivors.h"
#include "runtime/analyses/mutation/text.h"
#include "runtime/analyses/mutation/verification.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;
using model::Mutant;
using model::MutantKind;
using model::MutantResult;
using model::Verdict;

// Returns the path of the file that Mutant::file names.
fs::path path_of(const std::string& file, const Plan& plan, const model::MutantTable& table) {
  if (fs::path(file).is_absolute())
    return file;
  const fs::path root = source_root(plan.source, table.source);
  return (root.empty() ? plan.source.parent_path() : root) / file;
}

std::map<std::string, fs::path> files_of(const Plan& plan, const model::MutantTable& table) {
  std::map<std::string, fs::path> files;
  for (const Mutant& mutant : table.mutants)
    if (!files.contains(mutant.file))
      files[mutant.file] = path_of(mutant.file, plan, table);
  return files;
}

MutantSelection selection_of(const Plan& plan, model::MutantTable& table) {
  std::optional<ChangedLines> changed;
  if (!mutation_plan(plan).since.empty())
    changed = changed_lines(files_of(plan, table), mutation_plan(plan).since);
  return select_mutants(table, plan.kernel, mutation_plan(plan), changed);
}

// Returns the verdict that is known without a run; nullopt: run the mutant.
std::optional<Verdict> verdict_without_run(const Mutant& mutant) {
  if (mutant.ignored)
    return Verdict::Ignored;
  if (mutant.equivalent)
    return Verdict::Equivalent;
  return mutant.duplicate_of.empty() ? std::nullopt : std::optional(Verdict::Duplicate);
}

// Puts switched mutants first, and those that need a program of their own last. Neighbours are
// alike.
std::vector<MutationItem> items_of(const std::vector<const Mutant*>& mutants) {
  std::vector<MutationItem> items;
  for (const Mutant* mutant : mutants)
    if (!verdict_without_run(*mutant))
      items.push_back({mutant, mutant->kind == MutantKind::Program ? Route::Own : Route::Combined});
  std::ranges::stable_sort(items, {}, [](const MutationItem& item) {
    return item.mutant->kind == MutantKind::Switched ? 0
           : item.mutant->kind == MutantKind::Launch ? 1
                                                     : 2;
  });
  return items;
}

// The verdicts of the last run, as the store has them.
std::map<std::string, Verdict> last_verdicts(const Plan& plan) {
  const std::string text = store::Store(mutation_plan(plan).store).document(plan.name, "mutation");
  if (text.empty())
    return {};
  try {
    const auto kernels = model::mutations_from_json(model::parse_json(text));
    return kernels.empty() ? std::map<std::string, Verdict>()
                           : model::verdicts_by_id(kernels.front());
  } catch (const model::FormatError&) { // of another version
    return {};
  }
}

// Puts the items first that are most worth, for a run that may not reach all of them. Lines changed
// if they differ from the commit that GPUTEST_AGAINST names, or from the latest.
void sort_by_worth(std::vector<MutationItem>& items, const Plan& plan,
                   const model::MutantTable& table) {
  std::vector<const Mutant*> mutants;
  for (const MutationItem& item : items)
    mutants.push_back(item.mutant);
  model::KnownOfMutants known{.last = last_verdicts(plan)};
  ChangedLines changed;
  const char* const against = std::getenv("GPUTEST_AGAINST");
  try {
    changed = changed_lines(files_of(plan, table), against && *against ? against : "HEAD");
    known.is_changed = [&](const Mutant& mutant) { return is_changed(mutant, changed); };
  } catch (const UsageError&) { // no Git, or a folder of results: nobody knows what changed
  }
  std::vector<MutationItem> sorted;
  for (const std::size_t index : model::by_worth(mutants, known))
    sorted.push_back(items[index]);
  items = std::move(sorted);
}

std::vector<std::string> names_of(const std::vector<std::size_t>& cases, const Plan& plan) {
  std::vector<std::string> names;
  for (const std::size_t test_case : cases)
    names.push_back(plan.cases[test_case].name);
  return names;
}

// Returns the cases that reach the mutant, or all cases if that is unknown.
std::vector<std::string> reached_by(const Mutant& mutant, const OriginalResult& original,
                                    const ItemResult& item, const Plan& plan) {
  if (item.verdict == Verdict::NoCoverage || item.verdict == Verdict::NotRun)
    return {};
  std::vector<std::string> all, traced;
  for (std::size_t i = 0; i < original.reached.size(); ++i) {
    all.push_back(plan.cases[i].name);
    if (mutant.kind == MutantKind::Switched && is_reached(original.reached[i], mutant.site))
      traced.push_back(plan.cases[i].name);
  }
  return traced.empty() ? all : traced;
}

model::Mutation described(const Plan& plan, const DeviceMutants& mutants,
                          const MutantSelection& selection) {
  const MutationPlan& options = mutation_plan(plan);
  model::Mutation mutation;
  mutation.name = plan.name;
  mutation.kernel = plan.kernel;
  mutation.source = mutants.table.source;
  for (const TestCase& test_case : plan.cases)
    mutation.cases.push_back(test_case.name);
  mutation.operators = options.operators;
  mutation.repeat = options.repeat;
  mutation.threshold = options.threshold;
  mutation.population = selection.population;
  if (options.sample)
    mutation.sample_seed = options.seed;
  mutation.since = options.since;
  mutation.functions = options.functions;
  mutation.files = options.files;
  mutation.time_limit = options.time_limit;
  mutation.all_cases = options.all_cases;
  for (const model::NotInstrumented& entry : mutants.table.not_mutated)
    if (is_reachable(mutants.table, plan.kernel, entry.function))
      mutation.not_mutated.push_back(entry);
  for (const Mutant* mutant : selection.mutants) {
    if (!mutation.sources.contains(mutant->file))
      mutation.sources[mutant->file] =
          model::read_text(path_of(mutant->file, plan, mutants.table)).value_or("");
    MutantResult result;
    result.mutant = *mutant;
    result.verdict = verdict_without_run(*mutant).value_or(Verdict::NoCoverage);
    result.detail = mutant->ignored                ? mutant->ignore_reason
                    : mutant->duplicate_of.empty() ? mutant->proof
                                                   : "of " + mutant->duplicate_of;
    mutation.results.push_back(std::move(result));
  }
  return mutation;
}

// Says how mutants.cl ran on a device that rejects it.
std::string pieces_text(const std::string& device, const DeviceMutants& mutants,
                        const MutationJob& job) {
  const std::vector<SiteRange> pieces = job.builds.pieces.value_or(std::vector<SiteRange>());
  const auto in_piece = [&](const Mutant& mutant) {
    return std::ranges::any_of(pieces,
                               [&](const SiteRange& sites) { return sites.contains(mutant.site); });
  };
  const auto alone = std::ranges::count_if(job.items, [&](const MutationItem& item) {
    return item.mutant->kind == model::MutantKind::Switched && !in_piece(*item.mutant);
  });
  return fmt::format("{} does not build {}: its mutants were built in {} programs, and {} in one "
                     "of their own each, which all cases were taken to reach",
                     device, (mutants.folder / job.plan.variant_file("mutants.cl")).string(),
                     pieces.size(), alone);
}

// Lists the harm that the original does by itself, which is no mutant's fault.
void add_harm(model::Mutation& mutation, const std::vector<std::uint32_t>& harm,
              const model::MutantTable& table) {
  const std::vector<model::NotInstrumented> entries = harm_entries(harm, table);
  for (const model::NotInstrumented& entry : entries)
    fmt::print("{}:{}:{}: warning: {}: {}\n", entry.file, entry.line, entry.column, entry.construct,
               entry.reason);
  mutation.not_mutated.insert(mutation.not_mutated.end(), entries.begin(), entries.end());
}

// Returns why survivors do not run in the simulator; empty: they do.
std::string not_simulated(const Plan& plan) {
  if (!mutation_plan(plan).uses_simulator)
    return "--no-simulator was given";
  return plan.has_machine(&MachineKind::checks) ? "" : "there is none beside this gputest";
}

// Runs the mutants that must run, and fills in the results. `start`: from when a time limit counts.
void run_items(const Plan& plan, std::chrono::steady_clock::time_point start,
               const KernelDescription& description, const DeviceMutants& mutants,
               const MutantSelection& selection, model::Mutation& mutation) {
  std::map<const Mutant*, MutantResult*> results;
  for (std::size_t i = 0; i < selection.mutants.size(); ++i)
    results[selection.mutants[i]] = &mutation.results[i];
  MutationJob job{.plan = plan,
                  .description = description,
                  .folder = mutants.folder,
                  .table = mutants.table,
                  .items = items_of(selection.mutants),
                  .not_simulated = not_simulated(plan)};
  if (const auto limit = mutation_plan(plan).time_limit) {
    job.end = start + model::clock_duration(*limit);
    sort_by_worth(job.items, plan, mutants.table);
  }
  MutationSession session;
  model::MutationProgress progress(plan.name, job.items.size());
  progress.building();
  std::map<std::string, std::size_t> unchecked; // survivors, by why no check ran
  session.run(job, [&](std::size_t item, const ItemResult& found) {
    MutantResult& result = *results.at(job.items[item].mutant);
    result.verdict = found.verdict;
    result.reason = found.reason;
    result.detail = found.detail;
    result.reached_by = reached_by(result.mutant, session.original, found, plan);
    result.killed_by = names_of(found.killed_by, plan);
    result.runs = found.runs;
    result.order = found.order;
    result.seconds = found.seconds;
    mutation.executed += found.executed ? 1 : 0;
    if (!found.unchecked.empty())
      ++unchecked[found.unchecked];
    if (plan.verbose) {
      progress.clear();
      fmt::print("{}", verdict_text(result));
    }
    progress.add(found.verdict, found.executed);
  });
  progress.clear();
  for (const auto& [reason, count] : unchecked)
    fmt::print("{} survivors were not looked at in the simulator, which may see races or values "
               "that nobody has written: {}\n",
               count, reason);
  if (!session.rejected.empty())
    fmt::print("{}\n{}\n", pieces_text(session.device, mutants, job), session.rejected);
  add_harm(mutation, session.original.harm, mutants.table);
  mutation.device = session.device;
  mutation.deterministic = session.original.deterministic;
  mutation.seconds = session.seconds;
}

int exit_code(const model::Mutation& mutation) {
  const auto score = model::tally(mutation.results).score();
  if (!mutation.threshold || !score || *score >= *mutation.threshold)
    return 0;
  fmt::print("mutation score {:.1f} % is below the threshold of {:g} %\n", *score,
             *mutation.threshold);
  return 1;
}

int run(const Plan& plan, const KernelDescription& description) {
  const auto start = std::chrono::steady_clock::now();
  DeviceMutants mutants = device_mutants(plan);
  const MutantSelection selection = selection_of(plan, mutants.table);
  if (mutation_plan(plan).verify)
    return verify_mutants(plan, description, mutants, selection.mutants);
  if (const MutationPlan& own = mutation_plan(plan); !is_shard(own) && !own.fresh)
    take_shards(own.store, own.shards_folder, own.shards);
  model::Mutation mutation = described(plan, mutants, selection);
  run_items(plan, start, description, mutants, selection, mutation);
  compare_survivors(plan, mutants, mutation);
  prove_survivors(plan, mutants, mutation);
  const std::string text = model::text_of(std::span(&mutation, 1));
  model::write_atomically(plan.result, text);
  if (!is_shard(mutation_plan(plan)))
    store::Store(mutation_plan(plan).store).put_document(plan.name, "mutation", text);
  fmt::print("{}", mutation_text(mutation));
  return is_shard(mutation_plan(plan)) ? 0 : exit_code(mutation); // thresholds are for the whole
}

void prepare_mutation(Plan& plan, const Options& options) {
  MutationPlan own = make_mutation_plan(plan.analysis, plan.kernel_dir);
  if (options.json && !is_shard(own))
    own.shards_folder = fs::absolute(*options.json).parent_path() / "shards";
  plan.result = default_result(own, plan.kernel_dir);
  plan.own = std::move(own);
}

Subject mutants_variant(const Plan& plan, Machine& machine) {
  return mutants_subject(plan, mutants_folder(plan, read_mutants(plan.kernel_dir), machine));
}

// Runs the plan's mutants on its test cases, writes mutation.json and prints a summary. Returns the
// exit code: 1 if the original fails its tests (no mutant is run then) or too few mutants are
// killed.
int run_mutation(const Plan& plan, const KernelDescription& description) {
  try {
    return run(plan, description);
  } catch (const BaselineFailed& failure) {
    fmt::print("{}: no mutant was run, because the original fails:\n  {}\n", plan.name,
               failure.what());
    return 1;
  }
}

} // namespace

AnalysisRun mutation_analysis() {
  return {.name = "mutation",
          .prepare = prepare_mutation,
          .run = run_mutation,
          .variant = mutants_variant,
          .comparison = "comparison-mutants.json"};
}

} // namespace gputest::runtime
