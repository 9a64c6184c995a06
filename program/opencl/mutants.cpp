// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/mutants.h"

#include "model/files.h"
#include "program/opencl/plain_comparison.h"
#include "runtime/variants/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gputest::program {

namespace fs = std::filesystem;
using model::Mutant;
using model::MutantKind;

// Runs without a mutant, to see which sites are reached, how many iterations loops take, how long a
// run lasts, and what varies by itself.
std::optional<std::vector<model::Mutation>> OpenClMutants::measure(ProgramOracle& oracle) {
  run_.trace = true;
  unchanged_ = run_unchanged(settings_, run_, child_of(settings_.run_folder, ""), reads_, oracle,
                             [&](const RunRecords& records, bool first) {
                               if (first)
                                 not_measured_ = records.not_measured;
                               sources_.look(records);
                             });
  oracle_ = &oracle;
  if (unchanged_.skipped)
    return std::nullopt;
  compare_with_own_kernels();
  run_.trace = false;
  if (sources_.all().empty())
    throw PlainRunFailed("it launches no kernel that can be mutated");
  run_.budgets = sources_.budgets();
  run_.harm = sources_.harm();
  if (settings_.oracle.reads && reads_.count() == 0)
    throw PlainRunFailed("it reads nothing back that ORACLE READS could compare");
  keep_reads_of_original();
  std::vector<model::Mutation> described;
  MutantFilter filter(settings_.wanted, settings_.run.source_root);
  for (const auto& [stem, source] : sources_.all()) {
    stems_.push_back(stem);
    described.push_back(sources_.describe(source, settings_, filter));
    described.back().deterministic = varying() == 0;
  }
  filter.expect_matches(settings_.name);
  return described;
}

ChildSettings OpenClMutants::child_of(const fs::path& folder, const std::string& mutant) const {
  ChildSettings child = child_in(settings_, folder);
  child.environment["GPUTEST_MUTANT"] = mutant;
  return child;
}

// Runs with `trace`, because otherwise no kernel is replaced.
void OpenClMutants::compare_with_own_kernels() const {
  const Comparison compared =
      compare_with_plain({settings_.run_folder, run_, child_of(settings_.run_folder, ""),
                          unchanged_.last, settings_.child.input_from, settings_.judge},
                         unchanged_.last_records, {});
  if (!compared.difference.empty())
    throw MutantsDiffer(compared.difference, compared.opinion);
}

// With a tolerance, numbers are compared, and not only their hashes.
void OpenClMutants::keep_reads_of_original() {
  if (!settings_.oracle.reads || settings_.oracle.tolerance == 0)
    return;
  std::size_t most = 0;
  for (const auto& of_process : unchanged_.last_records.reads)
    most = std::max(most, of_process.size());
  for (std::size_t i = 0; i < most; ++i)
    run_.keep_reads.insert(i);
  const fs::path folder = folder_of_original();
  run_recorded(child_of(folder, ""), folder, run_);
  kept_ = kept_reads(read_run_folder(folder));
}

fs::path OpenClMutants::folder_of_original() const {
  return folder_of_mutants(settings_.run_folder.parent_path()) / "original";
}

// Returns how what a run read back differs, by more than the tolerance.
std::string OpenClMutants::difference(const RunRecords& records) const {
  std::string text = reads_.difference(records.reads);
  if (text.empty() || kept_.empty() || records.read_by_threads)
    return text;
  const std::set<std::size_t> pieces = reads_.differing(records.reads);
  KeptReads launched = kept_;
  std::erase_if(launched, [&](const auto& kept) { return !pieces.contains(kept.first.second); });
  const ReadValues values = compare(launched, kept_reads(records), settings_.oracle.tolerance);
  return values.is_within_tolerance ? "" : text;
}

// Everything that a verdict depends on, as far as it is visible from here: the mutants, the
// command, and the files that the command names.
std::string OpenClMutants::key_of(std::size_t source) const {
  const MutatedSource& of = sources_.all().at(stems_[source]);
  nlohmann::ordered_json key{{"format", "program 2"},
                             {"command", settings_.child.command},
                             {"device", of.device},
                             {"timeout_factor", settings_.timeout_factor},
                             {"mutants", nlohmann::ordered_json::array()},
                             {"files", nlohmann::ordered_json::array()}};
  add_oracle(key, settings_.oracle);
  for (const fs::path& folder : of.folders)
    key["mutants"].push_back(
        store::content_hash(model::read_text(folder / "mutants.cl").value_or("")));
  for (const std::string& word : settings_.child.command)
    if (fs::is_regular_file(word))
      key["files"].push_back(store::content_hash(model::read_text(word).value_or("")));
  return store::content_hash(
      key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string OpenClMutants::case_of(const model::MutantResult& /*result*/) const {
  return store::content_hash(settings_.name);
}

std::vector<unsigned> OpenClMutants::orders() {
  constexpr unsigned kOrders = 4; // as for kernels
  for (unsigned order = 1; order <= kOrders; ++order) {
    RunSettings run = run_;
    run.order = order;
    const fs::path folder = folder_of_mutants(settings_.run_folder.parent_path()) / "ordered";
    ChildSettings child = child_of(folder, "");
    child.timeout = limit(false);
    const ChildResult result = run_recorded(child, folder, run);
    if (!result.timed_out && !oracle_->noticed(result, output_of(child)) &&
        difference(read_run_folder(folder)).empty())
      orders_.push_back(order);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  return orders_;
}

double OpenClMutants::limit(bool is_compiled) const {
  return std::max(kShortestLimit, settings_.timeout_factor * unchanged_.seconds) +
         (is_compiled ? settings_.timeout_factor * unchanged_.first_seconds : 0);
}

ChildSettings OpenClMutants::child(const MutantTrial& trial, const fs::path& folder) {
  const Mutant& mutant = trial.result->mutant;
  RunSettings run = run_;
  run.order = trial.order;
  prepare_run_folder(folder, run);
  ChildSettings child = child_of(folder, active(trial));
  child.timeout = limit(mutant.kind == MutantKind::Program);
  return child;
}

TrialOutcome OpenClMutants::judge(const MutantTrial& trial, const ChildResult& result,
                                  const fs::path& folder) {
  const RunRecords records = read_run_folder(folder);
  return {.verdict = program::judge(trial.result->mutant,
                                    {result, output_of(child_of(folder, "")), difference(records)},
                                    records, *oracle_, sources_.tables()),
          .seconds = result.seconds,
          .is_known = !result.by_others()};
}

std::deque<MutantTrial> OpenClMutants::run_faster(std::deque<MutantTrial> trials, const Done& done,
                                                  const TimeLimit& limit) {
  if (!std::exchange(has_tried_, true))
    try_on_launches(trials, limit);
  std::deque<MutantTrial> left;
  for (const MutantTrial& trial : trials)
    if (const RunVerdict* const verdict =
            tried_.find(stem_of(trial), trial.result->mutant.id, trial.order))
      done(trial, {.verdict = *verdict});
    else
      left.push_back(trial);
  return left;
}

void OpenClMutants::try_on_launches(const std::deque<MutantTrial>& wanted, const TimeLimit& limit) {
  // The fewest mutants that are tried. Trying takes a run of the program and some time, which a few
  // mutants do not save.
  constexpr std::size_t kFewestTried = 4;
  std::vector<model::Trial> trials;
  for (const MutantTrial& one : wanted) {
    const Mutant& mutant = one.result->mutant;
    if (mutant.kind == MutantKind::Program || one.order != 0)
      continue;
    trials.push_back({stem_of(one), mutant.id, 0});
    for (const unsigned order : orders_)
      if (mutant.synchronisation)
        trials.push_back({stem_of(one), mutant.id, order});
  }
  if (trials.size() < kFewestTried)
    return;
  RunSettings run = run_;
  run.keep_reads.clear();
  for (const auto& [stem, source] : sources_.all())
    run.trial_seconds[stem] = LaunchTrials::seconds_of_launch(
        unchanged_.seconds, static_cast<double>(source.launched) / unchanged_.runs, settings_.jobs);
  tried_.run(settings_, run, child_of(settings_.run_folder, ""), reads_, *oracle_,
             unchanged_.seconds, trials, limit);
}

// Why mutants were not tried on launches.
std::vector<std::string> OpenClMutants::notes() const {
  std::vector<std::string> notes;
  for (const std::string& reason : tried_.untried())
    notes.push_back("mutants not tried on launches: " + reason);
  return notes;
}

ChildSettings OpenClMutants::child_for_races(const MutantTrial* trial, const fs::path& folder) {
  RunSettings run = run_;
  run.keep_reads.clear();
  run.order = 0;
  if (!run.simulator)
    run.simulator = runtime::SimulatedProgram{settings_.judge, {}};
  const double limit_here = kSlowerUnderCheck * limit(false);
  run.simulator->simulation.checks = {"races"};
  run.simulator->simulation.limit = limit_here;
  prepare_run_folder(folder, run);
  ChildSettings child = child_of(folder, trial ? active(*trial) : "");
  child.timeout = limit_here;
  return child;
}

std::vector<model::Finding> OpenClMutants::findings_in(const fs::path& folder) const {
  std::vector<model::Finding> findings;
  for (RecordedSimulation& launch : read_run_folder(folder).simulated)
    std::ranges::move(launch.findings, std::back_inserter(findings));
  return findings;
}

} // namespace gputest::program
