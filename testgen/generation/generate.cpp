// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/generate.h"

#include "testgen/directed/director.h"
#include "testgen/fewest.h"
#include "testgen/generation/at_fault.h"
#include "testgen/generation/case_writer.h"
#include "testgen/generation/contradiction.h"
#include "testgen/generation/known_ends.h"
#include "testgen/generation/propagation.h"
#include "testgen/generation/stage_ends.h"
#include "testgen/kills.h"
#include "testgen/offers.h"
#include "testgen/solve/z3_process.h"
#include "testgen/weak.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

// The most launches without progress: before proofs, after solving, and with related scalars.
constexpr std::uint64_t kFirstLaunches = 1'000, kMoreLaunches = 2'000, kTiedLaunches = 4'000;
constexpr std::uint64_t kHuntLaunches = 10'000;         // that kill no mutant end the hunt
constexpr double kGoalSeconds = 10, kMutantSeconds = 2; // the solver's, for each of them
// Beginnings of reasons why an outcome is blocked.
constexpr const char* kOnlyInvalid = "only inputs reach it";
constexpr const char* kAlwaysAtFault = "the kernel is at fault with every input: ";
constexpr double kLastSeconds = 1; // beyond the time, for what cases record

class Generator {
public:
  Generator(const Target& target, const Settings& settings, const InputSearch::Report& report)
      : target_(target), settings_(settings), report_(report), compiled_(target) {}

  Generated run() {
    all_.goals = goals_of(target_.sites, settings_.criteria);
    if (all_.goals.empty()) // a kernel that decides nothing has a case, too
      all_.goals = goals_of(target_.sites, {model::Criterion::Statement});
    try {
      const Kernels compiled = compiled_.kernels(at(1), at(stage_ends_.compiling_mutants));
      was("compiling");
      busy_.was_partly("compiling", "compiling mutants", compiled_.mutants_seconds());
      seconds_ = at(1).left();
      begin_ = clock_.seconds();
      if (!compiled_.no_mutants().empty())
        all_.notes.push_back("mutants are not looked at: " + compiled_.no_mutants());
      look(compiled);
    } catch (const OutOfTime& error) { // nothing has been looked at
      all_.out_of_time = true;
      for (const Goal& goal : all_.goals)
        all_.open.push_back({goal, error.what()});
    }
    all_.busy = busy_.stages();
    return std::move(all_);
  }

private:
  std::vector<fs::path> known_files() const {
    return all_case_files(settings_.cases, settings_.output, target_);
  }

  // Counts the time since the last call for this stage.
  void was(const char* name, const Worker* worker = nullptr) {
    busy_.was(name, {worker ? worker->process() : -1, director_ ? director_->process() : -1});
  }

  Deadline at(double share) const { return Deadline::at(clock_, begin_ + share * seconds_); }

  // Runs a step that launches or searches, and ends it at a time.
  void stage(InputSearch& search, Worker& worker, Deadline until, const auto& does) {
    if (until.over())
      return;
    search.set_deadline(until);
    worker.set_deadline(until);
    until_ = until;
    try {
      does();
    } catch (const OutOfTime&) { // what was found stays
    }
  }

  void look(const Kernels& compiled) {
    Worker worker(target_, compiled, kGenerationLimit);
    if (compiled.mutants)
      kills_.emplace(target_, *target_.mutants, worker,
                     settings_.record ? tolerance_of(target_) : settings_.tolerance);
    Mutator mutator(target_, constraints_, settings_.seed);
    Kills* const kills = kills_ ? &*kills_ : nullptr;
    InputSearch search(target_, constraints_, all_.goals, kills, mutator, worker, report_);
    stage(search, worker, at(stage_ends_.known), [&] { add_cases(search, worker); });
    was("cases that are there", &worker);
    const std::size_t before = search.valid().size();
    all_.shape = mutator.shapes().front();
    std::vector<Goal> wanted = all_.goals;
    std::erase_if(wanted, [&](const Goal& goal) { return search.reached(goal); });
    all_.reached_before = all_.goals.size() - wanted.size();
    name_cases(search, all_.goals);
    if (kills) {
      name_cases(search, kills->goals());
      all_.mutants.emplace();
      for (const Goal& goal : kills->goals())
        if (!search.reached(goal))
          wanted.push_back(goal);
        else
          ++all_.mutants->killed_before;
    }
    const bool looks =
        (!wanted.empty() || (all_.goals.empty() && before == 0)) && !is_known(wanted);
    if (looks) {
      search_inputs(search, mutator, worker);
      write_cases(search, mutator, worker, wanted, before);
      was("recording", &worker);
      if (constraints_.has_requirements() && !search.obeyed() && search.valid().empty()) {
        contradiction_ = contradiction(target_, constraints_, settings_.seed);
        all_.notes.push_back(contradiction_);
      }
    }
    stage(search, worker, at(1), [&] { search.probe(); });
    stage(search, worker, at(1),
          [&] { explain(target_, constraints_, mutator, search, worker, all_.guards); });
    if (looks && (!all_.guards.empty() || search.endless() > 0))
      stage(search, worker, at(1), [&] { look_at_faults(search, mutator, worker); });
    was("explaining", &worker);
    // If no input satisfies REQUIRE, every outcome is impossible, which would help nobody.
    const bool proves_nothing = search.valid().empty();
    for (const Goal& goal : all_.goals) {
      all_.reached += search.reached(goal);
      all_.behind_faults += search.reached_behind(goal);
      if (const auto proof = impossible_.find(goal.bit);
          proof != impossible_.end() && !proves_nothing)
        all_.impossible.push_back({goal, proof->second});
      else if (!search.reached(goal))
        add_open({goal, why_open(search, goal)});
    }
    if (kills)
      summarise(search);
    all_.launches = worker.launches();
    all_.mutant_launches = worker.mutant_launches();
    all_.endless = search.endless();
    all_.endless_in_all = std::min(worker.used_up(), all_.endless);
    all_.seconds = search.seconds();
    if (worker.is_late())
      all_.notes.emplace_back(kLateLaunch);
    if (looks)
      keep_ends(search, worker);
  }

  // True: whatever cases do not reach was proved or given up before, and is told so.
  bool is_known(const std::vector<Goal>& wanted) {
    const auto given_up = ends_.given_up(known_files());
    if (!given_up || settings_.assume_fixed)
      return false;
    const Reasons proofs = ends_.proofs();
    if (!std::ranges::all_of(wanted, [&](const Goal& goal) {
          return given_up->contains(goal.bit) || proofs.contains(goal.bit);
        }))
      return false;
    for (const Goal& goal : wanted)
      if (const auto proof = proofs.find(goal.bit); proof != proofs.end())
        note_proof(goal, proof->second);
      else
        given_up_[goal.bit] = given_up->at(goal.bit);
    if (!given_up_.empty())
      all_.notes.push_back(
          "what is open was looked for before, in as much time; a larger budget or "
          "another seed looks again");
    return true;
  }

  void note_proof(const Goal& goal, const std::string& proof) {
    if (goal.mutant) {
      kills_->drop(goal);
      all_.mutants->equivalent.push_back({goal, proof});
    } else {
      impossible_[goal.bit] = proof;
    }
  }

  void keep_ends(const InputSearch& search, const Worker& worker) const {
    Reasons proofs = impossible_, given_up;
    for (const std::vector<OpenGoal>* const left : {&all_.open, &all_.blocked})
      for (const OpenGoal& open : *left)
        given_up[open.goal.bit] = open.why;
    if (all_.mutants) {
      for (const OpenGoal& one : all_.mutants->equivalent)
        proofs[one.goal.bit] = one.why;
      for (const OpenGoal& left : all_.mutants->left)
        given_up[left.goal.bit] = left.why;
    }
    ends_.keep_proofs(proofs);
    // If nothing was found in time, or the clock ended a launch, the machine may have been busy.
    const bool late = worker.is_late() || (director_ && director_->late());
    if (!late && (!search.valid().empty() || !used_up_) && compiled_.no_mutants().empty())
      ends_.keep_given_up(given_up, known_files());
  }

  void search_inputs(InputSearch& search, Mutator& mutator, Worker& worker) {
    const auto until = [&](const char* name, double share, const auto& does) {
      stage(search, worker, at(share), does);
      was(name, &worker);
    };
    until("fuzzing", stage_ends_.fuzzing,
          [&] { infer_sizes(target_, constraints_, mutator, search, worker, all_.inferred); });
    mutator.sizes = all_.inferred.sizes;
    mutator.sizes.resize(target_.arguments.size());
    until("fuzzing", stage_ends_.fuzzing, [&] { search.run(kFirstLaunches); });
    until("tying scalars", stage_ends_.fuzzing, [&] { search.tie(kTiedLaunches); });
    // Quick proofs come first, because what they prove need not be searched for. Then comes a quick
    // search, because what it finds needs no proof with invariants, which takes longer.
    until("proving", stage_ends_.fuzzing,
          [&] { prove_outcomes(search, Director::Means::Decisions); });
    until("solving", stage_ends_.fuzzing, [&] { solve(search, Effort::Cheaply); });
    until("proving", stage_ends_.proving_outcomes,
          [&] { prove_outcomes(search, Director::Means::Invariants); });
    for (std::size_t known = ~std::size_t{0};
         !search.all_reached() && known != search.valid().size();) {
      known = search.valid().size(); // what the solver starts from
      until("solving", stage_ends_.solving, [&] { solve(search, Effort::Fully); });
      until("fuzzing", stage_ends_.solving, [&] { search.run(kMoreLaunches); });
    }
    if (settings_.assume_fixed)
      until("looking behind faults", stage_ends_.all, [&] {
        search.assume_fixed();
        search.run(kMoreLaunches);
        solve(search, Effort::Fully);
      });
    until("hunting mutants", stage_ends_.hunting, [&] { hunt(search); });
    until("proving", stage_ends_.proving, [&] { prove_mutants(search); });
    until("solving", stage_ends_.all, [&] { solve_mutants(search); });
    until("hunting mutants", stage_ends_.all, [&] { hunt(search); });
    used_up_ = all_.out_of_time = at(stage_ends_.solving).over();
  }

  void add_cases(InputSearch& search, Worker& worker) {
    for (const fs::path& file : known_files())
      for (KnownInput& known : inputs_of(target_, settings_, file, all_.notes)) {
        if (!settings_.record) // the reference says what is right
          known.oracle.right.clear();
        search.add(known.input, known.oracle);
        known_.resize(search.valid().size(), known.name);
        const Checked checked = worker.check(known.input);
        if (auto weak = why_weak(target_, constraints_, worker, known.input, checked);
            !weak.empty())
          all_.notes.push_back(fmt::format("weak: case '{}': {}", known.name, weak));
        if (settings_.judge_existing && checked.valid())
          all_.existing[known.name] = risks_of(target_, worker, known.input, checked);
      }
  }

  void look_at_faults(const InputSearch& search, Mutator& mutator, Worker& worker) {
    if (search.valid().empty() && contradiction_.empty())
      all_.always_at_fault = smallest_fault(target_, constraints_, search, mutator, worker, until_);
    std::ranges::move(offers_for_users(target_, settings_, worker, until_),
                      std::back_inserter(all_.notes));
  }

  void name_cases(const InputSearch& search, const std::vector<Goal>& goals) {
    for (const Goal& goal : goals)
      for (std::size_t i = 0; i < known_.size(); ++i)
        if (search.outcomes()[i].has(goal.bit))
          all_.by_case.try_emplace(goal.bit, known_[i]);
  }

  // Reasons are kept from run to run, so they say what is blocked.
  void add_open(OpenGoal goal) {
    const bool blocked = goal.why.starts_with(kOnlyInvalid) || goal.why.starts_with(kAlwaysAtFault);
    (blocked ? all_.blocked : all_.open).push_back(std::move(goal));
  }

  std::string why_open(const InputSearch& search, const Goal& goal) const {
    if (const auto known = given_up_.find(goal.bit); known != given_up_.end())
      return known->second;
    if (!contradiction_.empty())
      return contradiction_;
    if (!all_.always_at_fault.empty())
      return std::string(kAlwaysAtFault) + all_.always_at_fault;
    if (const auto known = conditions_.find(goal.bit);
        known != conditions_.end() && !search.reached_invalid(goal))
      return "not solved: " + known->second;
    if (!search.reached_invalid(goal))
      return search.endless() > 0 && search.valid().empty() ? "launches do not end" : "not reached";
    if (const Found* const found = search.obstacle(goal))
      return fmt::format("{} with which the kernel is at fault: {}: {}", kOnlyInvalid,
                         place_text(found->finding.site), found->finding.message);
    return std::string(kOnlyInvalid) + " that are out of bounds";
  }

  // Hunts live mutants. Without new inputs since the last hunt, there is nothing more to find.
  void hunt(InputSearch& search) {
    if (!kills_ || (hunted_ && *hunted_ == search.valid().size()))
      return;
    search.hunt(kHuntLaunches);
    hunted_ = search.valid().size();
  }

  Director& director() {
    if (!director_)
      director_.emplace(target_, constraints_);
    return *director_;
  }

  // Proves outcomes impossible, so that no search looks for them.
  void prove_outcomes(InputSearch& search, Director::Means means) {
    std::vector<Goal> open = all_.goals;
    std::erase_if(open, [&](const Goal& goal) {
      return search.reached(goal) || search.reached_invalid(goal) || impossible_.contains(goal.bit);
    });
    if (open.empty())
      return;
    const auto proved = [&](const Goal& goal, const std::string& proof) {
      note_proof(goal, proof);
      search.drop(goal);
    };
    take_proofs(open, proved);
    search.tell("proving");
    director().prove_impossible(open, means, until_, proved);
  }

  // Those that an earlier run found.
  void take_proofs(std::vector<Goal>& goals, const Director::Proved& proved) const {
    const Reasons proofs = ends_.proofs();
    std::erase_if(goals, [&](const Goal& goal) {
      const auto proof = proofs.find(goal.bit);
      if (proof != proofs.end())
        proved(goal, proof->second);
      return proof != proofs.end();
    });
  }

  // Proves mutants equivalent to the original.
  void prove_mutants(InputSearch& search) {
    if (!kills_ || solver_program().empty())
      return;
    std::vector<Goal> open;
    for (const Goal& goal : kills_->goals())
      if (!search.reached(goal) && kills_->never_differed(goal) && kills_->may_be_proved(goal))
        open.push_back(goal);
    const auto proved = [&](const Goal& goal, const std::string& proof) {
      note_proof(goal, proof);
    };
    take_proofs(open, proved);
    search.tell("proving");
    director().prove_equivalent(open, until_, proved);
  }

  // Inputs that give a mutant's expression another value, or show it. The hunt goes on from them.
  void solve_mutants(InputSearch& search) {
    if (!kills_)
      return;
    for (const Goal& goal : kills_->goals()) {
      if (search.reached(goal) || kills_->dropped(goal) || !kills_->never_differed(goal) ||
          search.out_of_time())
        continue;
      search.tell("solving for mutants");
      director().ask(goal, search, until_, kMutantSeconds);
    }
    propagate(target_, constraints_, *kills_, search, until_);
  }

  void summarise(const InputSearch& search) {
    all_.mutants->goals = kills_->goals().size();
    all_.mutants->all = kills_->goals();
    all_.mutants->left_to_checks = target_.mutants->left_to_checks(target_.kernel());
    for (const Goal& goal : kills_->goals())
      if (search.reached(goal))
        ++all_.mutants->killed;
      else if (!kills_->dropped(goal))
        all_.mutants->left.push_back({goal, kills_->why_left(goal)});
  }

  // Solves what fuzzing has not reached. Each new input may lead to more.
  void solve(InputSearch& search, Effort effort) {
    std::size_t found = 1;
    while (found != 0) {
      found = 0;
      for (const Goal& goal : all_.goals) {
        if (search.reached(goal) || impossible_.contains(goal.bit) || search.out_of_time() ||
            (conditions_.contains(goal.bit) && conditions_.at(goal.bit) == kWaitsForever))
          continue;
        search.tell("solving");
        const DirectedAnswer answer = director().ask(goal, search, until_, kGoalSeconds, effort);
        found += answer.reached;
        if (answer.reached)
          ++(answer.method >= Method::BitVectors ? all_.by_z3 : all_.by_search);
        if (!answer.open.empty())
          conditions_[goal.bit] = answer.open;
      }
    }
  }

  void write_cases(InputSearch& search, Mutator& mutator, Worker& worker,
                   const std::vector<Goal>& wanted, std::size_t before) {
    Fewest fewest =
        fewest_inputs({target_, constraints_, kills_ ? &*kills_ : nullptr, mutator, worker, search},
                      wanted, before, [&](const std::function<void(Deadline)>& does) {
                        stage(search, worker, at(kShrinking), [&] { does(until_); });
                      });
    was("shrinking", &worker);
    if (fewest.cases.size() > settings_.most_cases) {
      all_.notes.push_back(fmt::format("{} cases would reach all that was reached; {} are written",
                                       fewest.cases.size(), settings_.most_cases));
      fewest.cases.resize(settings_.most_cases);
    }
    worker.set_deadline(Deadline::at(clock_, begin_ + seconds_ + kLastSeconds));
    const CaseWriter writer(target_, constraints_, settings_);
    for (const Chosen& chosen : fewest.cases) {
      all_.written.push_back(writer.write(worker, fewest.inputs[chosen.input], chosen.goals));
      keep_sizes_of(target_, fewest.inputs[chosen.input], all_.inferred);
      for (const Goal& goal : chosen.goals)
        all_.by_case.try_emplace(goal.bit, all_.written.back().name);
    }
    if (!fewest.cases.empty())
      all_.shape = fewest.inputs[fewest.cases.front().input].shape;
  }

  const Target& target_;
  const Settings& settings_;
  const InputSearch::Report& report_;
  WorkClock clock_;
  double begin_ = clock_.seconds(); // of compiling, and later of what comes after it
  double seconds_ = settings_.seconds;
  const StageEnds& stage_ends_ = target_.mutants ? kWithMutants : kOutcomesAlone;
  Deadline until_{}; // of the stage
  CompiledKernel compiled_;
  Constraints constraints_ = constraints_of(target_, settings_, known_files());
  std::optional<Kills> kills_;
  std::vector<std::string> known_;    // names of the cases that the first valid inputs are of
  std::optional<std::size_t> hunted_; // valid inputs when mutants were hunted last
  std::optional<Director> director_;
  KnownEnds ends_{target_, settings_, has_offsets(target_, constraints_)};
  Reasons impossible_, conditions_, given_up_;
  std::string contradiction_; // why no input obeys the requirements; empty: one does
  bool used_up_ = false;      // the time for the search
  Busy busy_;
  Generated all_;
};

} // namespace

Generated generate(const Target& target, const Settings& settings,
                   const InputSearch::Report& report) {
  return Generator(target, settings, report).run();
}

} // namespace gputest::testgen
