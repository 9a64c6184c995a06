#include "testgen/generate.h"

#include "testgen/cover.h"
#include "testgen/directed/director.h"
#include "testgen/mutants/kills.h"
#include "testgen/shrink.h"
#include "testgen/solve/z3_process.h"
#include "testgen/weak.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using simulator::Parameter;

// Launches that bring nothing before outcomes are tried to be proved impossible, and after the
// solver was asked for inputs.
constexpr std::uint64_t kFirstLaunches = 1'000, kMoreLaunches = 2'000;
// Inputs that kill nothing before the mutants that are left are left.
constexpr std::uint64_t kHuntLaunches = 10'000;
// Seconds of the solver: of an outcome, of a mutant.
constexpr double kGoalSeconds = 10, kMutantSeconds = 2;

// When each stage ends at the latest, as shares of the time that compiling leaves; of compiling
// mutants, of all of it. Outcomes come before mutants, so that hunting these leaves time for
// proofs, and everything before cases are chosen, shrunk and written.
struct Schedule {
  double compiling_mutants, known, fuzzing, proving_outcomes, solving, hunting, proving, all;
};
constexpr Schedule kOutcomesAlone{.compiling_mutants = 0,
                                  .known = 0.3,
                                  .fuzzing = 0.4,
                                  .proving_outcomes = 0.5,
                                  .solving = 0.7,
                                  .hunting = 0,
                                  .proving = 0,
                                  .all = 0.8};
constexpr Schedule kWithMutants{.compiling_mutants = 0.4,
                                .known = 0.25,
                                .fuzzing = 0.3,
                                .proving_outcomes = 0.36,
                                .solving = 0.52,
                                .hunting = 0.67,
                                .proving = 0.74,
                                .all = 0.82};
constexpr double kShrinking = 0.9;
constexpr double kLastSeconds = 1; // beyond the time, for what cases record

std::vector<fs::path> all_case_files(const Settings& settings, const Target& target) {
  std::vector<fs::path> files = settings.cases;
  const std::vector<fs::path> found = case_files(settings.output, target);
  for (const fs::path& file : found)
    if (std::ranges::none_of(files, [&](const fs::path& known) {
          return fs::weakly_canonical(known) == fs::weakly_canonical(file);
        }))
      files.push_back(file);
  return files;
}

class Generator {
public:
  Generator(const Target& target, const Settings& settings, const Fuzzer::Report& report)
      : target_(target), settings_(settings), report_(report), compiled_(target) {}

  Generated run() {
    constraints_ = constraints_of(target_, settings_);
    all_.goals = goals_of(target_.sites, settings_.criteria);
    if (all_.goals.empty()) // a kernel that decides nothing has a case, too
      all_.goals = goals_of(target_.sites, {model::Criterion::Statement});
    try {
      const Kernels compiled = compiled_.kernels(at(1), at(schedule_.compiling_mutants));
      seconds_ = at(1).left();
      begin_ = Deadline::Clock::now();
      if (!compiled_.no_mutants().empty())
        all_.notes.push_back("mutants are not looked at: " + compiled_.no_mutants());
      look(compiled);
    } catch (const OutOfTime& error) { // nothing has been looked at
      for (const Goal& goal : all_.goals)
        all_.open.push_back({goal, error.what()});
    }
    return std::move(all_);
  }

private:
  Deadline at(double share) const { return Deadline::from(begin_, share * seconds_); }

  // What launches and looks for inputs until a share of the time is used up, and is left then.
  template <typename Does> void stage(Fuzzer& fuzzer, Worker& worker, double share, Does&& does) {
    stage(fuzzer, worker, at(share), does);
  }
  template <typename Does> void stage(Fuzzer& fuzzer, Worker& worker, Deadline until, Does&& does) {
    if (until.over())
      return;
    fuzzer.set_deadline(until);
    worker.set_deadline(until);
    until_ = until;
    try {
      does();
    } catch (const OutOfTime&) { // what was found stays
    }
  }

  void look(const Kernels& compiled) {
    Worker worker(target_, compiled, kLaunchSeconds);
    if (compiled.mutants)
      kills_.emplace(target_, *target_.mutants, worker,
                     settings_.record ? tolerance_of(target_) : settings_.tolerance);
    Mutator mutator(target_, constraints_, settings_.seed);
    Kills* const kills = kills_ ? &*kills_ : nullptr;
    Fuzzer fuzzer(target_, constraints_, all_.goals, kills, mutator, worker, report_);
    stage(fuzzer, worker, schedule_.known, [&] { add_cases(fuzzer, worker); });
    const std::size_t before = fuzzer.valid().size();
    all_.shape = mutator.shapes().front();
    std::vector<Goal> wanted = all_.goals;
    std::erase_if(wanted, [&](const Goal& goal) { return fuzzer.reached(goal); });
    all_.reached_before = all_.goals.size() - wanted.size();
    name_cases(fuzzer, all_.goals);
    if (kills) {
      name_cases(fuzzer, kills->goals());
      all_.mutants.emplace();
      for (const Goal& goal : kills->goals())
        if (!fuzzer.reached(goal))
          wanted.push_back(goal);
        else
          ++all_.mutants->killed_before;
    }
    if (!wanted.empty() || (all_.goals.empty() && before == 0)) {
      search(fuzzer, mutator, worker);
      write_cases(fuzzer, mutator, worker, wanted, before);
    }
    stage(fuzzer, worker, 1, [&] { fuzzer.probe(); });
    stage(fuzzer, worker, 1,
          [&] { explain(target_, constraints_, mutator, fuzzer, worker, all_.guards); });
    // If nothing satisfies REQUIRE, everything is impossible, and that would help nobody.
    const bool proves_nothing = fuzzer.valid().empty();
    for (const Goal& goal : all_.goals) {
      all_.reached += fuzzer.reached(goal);
      if (const auto proof = impossible_.find(goal.bit);
          proof != impossible_.end() && !proves_nothing)
        all_.impossible.push_back({goal, proof->second});
      else if (!fuzzer.reached(goal))
        all_.open.push_back({goal, why_open(fuzzer, goal)});
    }
    if (kills)
      summarise(fuzzer);
    all_.launches = worker.launches();
    all_.mutant_launches = worker.mutant_launches();
    all_.endless = fuzzer.endless();
    all_.seconds = fuzzer.seconds();
  }

  void search(Fuzzer& fuzzer, Mutator& mutator, Worker& worker) {
    const auto until = [&](double share, const auto& does) { stage(fuzzer, worker, share, does); };
    until(schedule_.fuzzing,
          [&] { infer_sizes(target_, constraints_, mutator, fuzzer, worker, all_.inferred); });
    mutator.sizes = all_.inferred.sizes;
    mutator.sizes.resize(target_.arguments.size());
    until(schedule_.fuzzing, [&] { fuzzer.run(kFirstLaunches); });
    until(schedule_.proving_outcomes, [&] { prove_outcomes(fuzzer); });
    for (std::size_t known = ~std::size_t{0};
         !fuzzer.all_reached() && known != fuzzer.valid().size();) {
      known = fuzzer.valid().size(); // what the solver starts from
      until(schedule_.solving, [&] { solve(fuzzer); });
      until(schedule_.solving, [&] { fuzzer.run(kMoreLaunches); });
    }
    until(schedule_.hunting, [&] { hunt(fuzzer); });
    until(schedule_.proving, [&] { prove_mutants(fuzzer); });
    until(schedule_.all, [&] { solve_mutants(fuzzer); });
    until(schedule_.all, [&] { hunt(fuzzer); });
  }

  void add_cases(Fuzzer& fuzzer, Worker& worker) {
    for (const fs::path& file : all_case_files(settings_, target_))
      for (KnownInput& known : inputs_of(target_, settings_, file, all_.notes)) {
        if (!settings_.record) // the reference says what is right
          known.oracle.right.clear();
        fuzzer.add(known.input, known.oracle);
        known_.resize(fuzzer.valid().size(), known.name);
        if (const std::string weak =
                why_weak(target_, constraints_, worker, known.input, worker.check(known.input));
            !weak.empty())
          all_.notes.push_back(fmt::format("weak: case '{}': {}", known.name, weak));
      }
  }

  void name_cases(const Fuzzer& fuzzer, const std::vector<Goal>& goals) {
    for (const Goal& goal : goals)
      for (std::size_t i = 0; i < known_.size(); ++i)
        if (fuzzer.outcomes()[i].has(goal.bit))
          all_.by_case.try_emplace(goal.bit, known_[i]);
  }

  std::string why_open(const Fuzzer& fuzzer, const Goal& goal) const {
    if (const auto known = conditions_.find(goal.bit);
        known != conditions_.end() && !fuzzer.reached_invalid(goal))
      return "not solved: " + known->second;
    if (!fuzzer.reached_invalid(goal))
      return fuzzer.endless() > 0 && fuzzer.valid().empty() ? "launches do not end" : "not reached";
    if (const Found* const found = fuzzer.obstacle(goal))
      return fmt::format("only inputs reach it with which the kernel is at fault: {}: {}",
                         place_text(found->finding.site), found->finding.message);
    return "only inputs reach it that are out of bounds";
  }

  // Mutants that live. Without an input that came since the last time there is no more to find.
  void hunt(Fuzzer& fuzzer) {
    if (!kills_ || (hunted_ && *hunted_ == fuzzer.valid().size()))
      return;
    fuzzer.hunt(kHuntLaunches);
    hunted_ = fuzzer.valid().size();
  }

  Director& director() {
    if (!director_)
      director_.emplace(target_, constraints_);
    return *director_;
  }

  // What is proved need not be looked for.
  void prove_outcomes(Fuzzer& fuzzer) {
    std::vector<Goal> open = all_.goals;
    std::erase_if(open, [&](const Goal& goal) { return fuzzer.reached(goal); });
    if (open.empty())
      return;
    fuzzer.tell("proving");
    director().prove_impossible(open, until_, [&](const Goal& goal, const std::string& proof) {
      impossible_[goal.bit] = proof;
      fuzzer.drop(goal);
    });
  }

  // Mutants that are nothing but another way to write the original.
  void prove_mutants(Fuzzer& fuzzer) {
    if (!kills_ || solver_program().empty())
      return;
    std::vector<Goal> open;
    for (const Goal& goal : kills_->goals())
      if (!fuzzer.reached(goal) && kills_->never_differed(goal) && kills_->may_be_proved(goal))
        open.push_back(goal);
    fuzzer.tell("proving");
    director().prove_equivalent(open, until_, [&](const Goal& goal, const std::string& proof) {
      kills_->drop(goal);
      all_.mutants->equivalent.push_back({goal, proof});
    });
  }

  // Inputs that give a mutant's expression another value, from which the hunt goes on.
  void solve_mutants(Fuzzer& fuzzer) {
    if (!kills_)
      return;
    for (const Goal& goal : kills_->goals()) {
      if (fuzzer.reached(goal) || kills_->dropped(goal) || !kills_->never_differed(goal) ||
          fuzzer.out_of_time())
        continue;
      fuzzer.tell("solving for mutants");
      director().ask(goal, fuzzer, until_, kMutantSeconds);
    }
  }

  void summarise(const Fuzzer& fuzzer) {
    all_.mutants->goals = kills_->goals().size();
    all_.mutants->all = kills_->goals();
    all_.mutants->left_to_checks = target_.mutants->left_to_checks(target_.kernel());
    for (const Goal& goal : kills_->goals())
      if (fuzzer.reached(goal))
        ++all_.mutants->killed;
      else if (!kills_->dropped(goal))
        all_.mutants->left.push_back({goal, kills_->why_left(goal)});
  }

  // All that a valid input does, though another one has killed a mutant before.
  void add_kills(const Input& input, Outcome& outcome, const std::vector<Goal>& wanted) {
    if (kills_)
      kills_->add(input, outcome, [&](const Goal& goal) {
        return std::ranges::find(wanted, goal.bit, &Goal::bit) != wanted.end();
      });
  }

  // What fuzzing has not reached. What is found may lead on to more.
  void solve(Fuzzer& fuzzer) {
    std::size_t found = 1;
    while (found != 0) {
      found = 0;
      for (const Goal& goal : all_.goals) {
        if (fuzzer.reached(goal) || impossible_.contains(goal.bit) || fuzzer.out_of_time())
          continue;
        fuzzer.tell("solving");
        const DirectedAnswer answer = director().ask(goal, fuzzer, until_, kGoalSeconds);
        found += answer.reached;
        if (answer.reached)
          ++(answer.method >= Method::BitVectors ? all_.by_z3 : all_.by_search);
        if (!answer.open.empty())
          conditions_[goal.bit] = answer.open;
      }
    }
  }

  void write_cases(Fuzzer& fuzzer, Mutator& mutator, Worker& worker,
                   const std::vector<Goal>& wanted, std::size_t before) {
    // What the cases that are there reach is no reason for another.
    std::vector<Outcome> outcomes(fuzzer.outcomes().begin() + static_cast<std::ptrdiff_t>(before),
                                  fuzzer.outcomes().end());
    stage(fuzzer, worker, kShrinking, [&] {
      for (std::size_t i = 0; kills_ && i < outcomes.size(); ++i)
        add_kills(fuzzer.valid()[before + i], outcomes[i], wanted);
    });
    // Among those that reach as much, first the ones whose outputs tell something, and with several
    // groups.
    std::vector<std::size_t> order(outcomes.size());
    std::iota(order.begin(), order.end(), before);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
      return 2 * fuzzer.weak(i) + (fuzzer.valid()[i].shape.groups() == 1);
    });
    std::vector<Outcome> ordered;
    for (const std::size_t i : order)
      ordered.push_back(outcomes[i - before]);
    std::vector<Input> inputs;
    std::vector<Outcome> small;
    for (const Chosen& chosen : smallest_cover(ordered, wanted)) {
      inputs.push_back(fuzzer.valid()[order[chosen.input]]);
      small.push_back(ordered[chosen.input]);
      make_writable(target_, inputs.back());
      stage(fuzzer, worker, kShrinking, [&] {
        fuzzer.tell("shrinking");
        std::vector<unsigned> bits;
        for (const Goal& goal : chosen.goals)
          bits.push_back(goal.bit);
        Shrinker shrinker(target_, constraints_, kills_ ? &*kills_ : nullptr, mutator, worker,
                          until_);
        Input input = shrinker.shrunk(inputs.back(), bits);
        make_writable(target_, input);
        Outcome outcome = worker.run(input);
        add_kills(input, outcome, wanted);
        inputs.back() = std::move(input);
        small.back() = std::move(outcome);
      });
    }
    // Once more: what is small may do what another did, or less.
    std::vector<Chosen> fewest = smallest_cover(small, wanted);
    if (fewest.size() > settings_.most_cases) {
      all_.notes.push_back(fmt::format("{} cases would reach all that was reached; {} are written",
                                       fewest.size(), settings_.most_cases));
      fewest.resize(settings_.most_cases);
    }
    worker.set_deadline(Deadline::from(begin_, seconds_ + kLastSeconds));
    for (const Chosen& chosen : fewest)
      write_case(worker, inputs[chosen.input], chosen.goals);
    if (!fewest.empty())
      all_.shape = inputs[fewest.front().input].shape;
  }

  // Named after its last branch: the first are those that nearly all inputs reach.
  std::string name_for(const std::vector<Goal>& goals, const std::vector<Goal>& kills) const {
    const auto branch = std::find_if(goals.rbegin(), goals.rend(), [&](const Goal& goal) {
      return target_.sites.sites[goal.site].criterion == model::Criterion::Branch;
    });
    return fmt::format(
        "{}-{}", target_.kernel(),
        goals.empty() ? "kills-" + file_part(*kills.back().mutant)
                      : file_part(branch == goals.rend() ? goals.back() : *branch, target_.sites));
  }

  void write_case(Worker& worker, const Input& input, const std::vector<Goal>& reason) {
    std::vector<Goal> goals, kills;
    for (const Goal& goal : reason)
      (goal.mutant ? kills : goals).push_back(goal);
    CaseText text{.name = name_for(goals, kills)};
    for (const Goal& goal : kills)
      text.kills.push_back(goal.mutant->id);
    for (const Goal& goal : goals)
      text.reaches.push_back(text_of(goal, target_.sites));
    try {
      const Checked checked = worker.check(input);
      if (settings_.record)
        record(worker, input, checked, text);
      text.weak = why_weak(target_, constraints_, worker, input, checked);
    } catch (const OutOfTime&) {
      if (settings_.record && text.recorded.empty() && text.not_recorded.empty())
        text.not_recorded = "not recorded: there was no time left to run it in several orders";
    }
    Written written{.file = {},
                    .goals = goals,
                    .kills = kills,
                    .weak = text.weak,
                    .recorded = !text.recorded.empty(),
                    .not_recorded = text.not_recorded};
    for (const Goal& goal : reason)
      all_.by_case.try_emplace(goal.bit, text.name);
    written.file = testgen::write_case(settings_.output, target_, input, text);
    all_.written.push_back(std::move(written));
  }

  void record(Worker& worker, const Input& input, const Checked& checked, CaseText& text) const {
    if (!checked.valid()) {
      text.not_recorded = "not recorded: the kernel is at fault with this input";
      return;
    }
    const std::string varying = depends_on_order(target_, worker, input, checked.after);
    if (varying.empty())
      text.recorded = checked.after;
    else
      text.not_recorded =
          fmt::format("not recorded: '{}' depends on the order of work-items", varying);
  }

  const Target& target_;
  const Settings& settings_;
  const Fuzzer::Report& report_;
  // The beginning of compiling, and later of what comes after it.
  Deadline::Clock::time_point begin_ = Deadline::Clock::now();
  double seconds_ = settings_.seconds;
  const Schedule& schedule_ = target_.mutants ? kWithMutants : kOutcomesAlone;
  Deadline until_{}; // of the stage
  CompiledKernel compiled_;
  Constraints constraints_;
  std::optional<Kills> kills_;
  std::vector<std::string> known_;    // names of the cases that the first valid inputs are of
  std::optional<std::size_t> hunted_; // valid inputs when mutants were hunted last
  std::optional<Director> director_;
  std::map<unsigned, std::string> impossible_, conditions_; // by bit
  Generated all_;
};

} // namespace

Generated generate(const Target& target, const Settings& settings, const Fuzzer::Report& report) {
  return Generator(target, settings, report).run();
}

} // namespace gputest::testgen
