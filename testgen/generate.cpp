#include "testgen/generate.h"

#include "testgen/cover.h"
#include "testgen/directed.h"
#include "testgen/mutants/equivalence.h"
#include "testgen/mutants/kills.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using simulator::Parameter;

// Launches that bring nothing before the solver is asked, and afterwards.
constexpr std::uint64_t kQuickLaunches = 5'000, kLongLaunches = 30'000;
// Inputs that kill nothing before the mutants that are left are left.
constexpr std::uint64_t kHuntLaunches = 10'000;
// Of the time, where launches are so slow that outcomes alone would use up all of it.
constexpr double kShareOfOutcomes = 0.5;
// For the solver: of an outcome, of a mutant; for proofs that mutants are equivalent, of the time.
constexpr double kGoalSeconds = 10, kMutantSeconds = 2, kShareOfProofs = 0.1;

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
    const auto begin = std::chrono::steady_clock::now();
    const Kernels compiled = compiled_.kernels();
    if (!compiled_.no_mutants().empty())
      all_.notes.push_back("mutants are not looked at: " + compiled_.no_mutants());
    Worker worker(target_, compiled, kLaunchSeconds);
    if (compiled.mutants)
      kills_.emplace(target_, *target_.mutants, worker,
                     settings_.record ? tolerance_of(target_) : settings_.tolerance);
    all_.compile_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Mutator mutator(target_, constraints_, settings_.seed);
    Kills* const kills = kills_ ? &*kills_ : nullptr;
    Fuzzer fuzzer(target_, constraints_, all_.goals, kills, mutator, worker, settings_.seconds,
                  report_);
    add_cases(fuzzer);
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
      all_.inferred = infer_sizes(target_, constraints_, mutator, fuzzer, worker);
      mutator.sizes = all_.inferred.sizes;
      fuzzer.run(kQuickLaunches, kills ? kShareOfOutcomes : 1);
      hunt(fuzzer);
      prove_mutants(fuzzer);
      solve(fuzzer);
      fuzzer.run(kLongLaunches);
      solve(fuzzer);
      solve_mutants(fuzzer);
      hunt(fuzzer);
      write_cases(fuzzer, mutator, worker, wanted, before);
    }
    fuzzer.probe();
    all_.guards = explain(target_, constraints_, mutator, fuzzer, worker);
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
    return std::move(all_);
  }

private:
  void add_cases(Fuzzer& fuzzer) {
    for (const fs::path& file : all_case_files(settings_, target_))
      for (KnownInput& known : inputs_of(target_, settings_, file, all_.notes)) {
        if (!settings_.record) // the reference says what is right
          known.oracle.right.clear();
        fuzzer.add(known.input, known.oracle);
        known_.resize(fuzzer.valid().size(), known.name);
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

  // Mutants that are nothing but another way to write the original.
  void prove_mutants(Fuzzer& fuzzer) {
    if (!kills_ || solver_program().empty())
      return;
    std::optional<EquivalenceProver> prover;
    Z3Process z3;
    const double until = fuzzer.seconds() + 1 + kShareOfProofs * settings_.seconds;
    for (const Goal& goal : kills_->goals()) {
      if (fuzzer.reached(goal) || !kills_->never_differed(goal) || fuzzer.seconds() > until)
        continue;
      fuzzer.tell("proving");
      if (!prover)
        prover.emplace(target_.original, target_.mutants->differences, target_.kernel());
      const std::string proof = prover->prove(*goal.mutant, z3);
      if (proof.empty())
        continue;
      kills_->drop(goal);
      all_.mutants->equivalent.push_back({goal, proof});
    }
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
      if (!director_)
        director_.emplace(target_, constraints_);
      director_->ask(goal, fuzzer, std::min(kMutantSeconds, settings_.seconds - fuzzer.seconds()));
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
        if (!director_)
          director_.emplace(target_, constraints_);
        const double left = settings_.seconds - fuzzer.seconds();
        const DirectedAnswer answer = director_->ask(goal, fuzzer, std::min(kGoalSeconds, left));
        found += answer.reached;
        all_.solved += answer.reached;
        if (!answer.impossible.empty()) {
          impossible_[goal.bit] = answer.impossible;
          fuzzer.drop(goal);
        }
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
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      add_kills(fuzzer.valid()[before + i], outcomes[i], wanted);
    const std::vector<Chosen> cover = smallest_cover(outcomes, wanted);
    Shrinker shrinker(target_, constraints_, kills_ ? &*kills_ : nullptr, mutator, worker,
                      [&] { return fuzzer.seconds() > 1.5 * settings_.seconds; });
    std::vector<Input> inputs;
    std::vector<Outcome> small;
    for (const Chosen& chosen : cover) {
      std::vector<unsigned> bits;
      for (const Goal& goal : chosen.goals)
        bits.push_back(goal.bit);
      Input input = shrinker.shrunk(fuzzer.valid()[before + chosen.input], bits);
      make_writable(target_, input);
      small.push_back(worker.run(input));
      add_kills(input, small.back(), wanted);
      inputs.push_back(std::move(input));
    }
    // Once more: what is small may do what another did, or less.
    std::vector<Chosen> fewest = smallest_cover(small, wanted);
    if (fewest.size() > settings_.most_cases) {
      all_.notes.push_back(fmt::format("{} cases would reach all that was reached; {} are written",
                                       fewest.size(), settings_.most_cases));
      fewest.resize(settings_.most_cases);
    }
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
    const Checked checked = worker.check(input);
    std::vector<Goal> goals, kills;
    for (const Goal& goal : reason)
      (goal.mutant ? kills : goals).push_back(goal);
    CaseText text{.name = name_for(goals, kills)};
    for (const Goal& goal : kills)
      text.kills.push_back(goal.mutant->id);
    for (const Goal& goal : goals)
      text.reaches.push_back(text_of(goal, target_.sites));
    text.weak = is_weak(target_, input, checked);
    Written written{.file = {}, .goals = goals, .kills = kills, .weak = text.weak};
    if (settings_.record) {
      text.not_recorded = why_not_recorded(worker, input, checked);
      if (text.not_recorded.empty())
        text.recorded = checked.after;
      written.recorded = text.not_recorded.empty();
      written.not_recorded = text.not_recorded;
    }
    for (const Goal& goal : reason)
      all_.by_case.try_emplace(goal.bit, text.name);
    written.file = testgen::write_case(settings_.output, target_, input, text);
    all_.written.push_back(std::move(written));
  }

  std::string why_not_recorded(Worker& worker, const Input& input, const Checked& checked) {
    if (!checked.valid())
      return "not recorded: the kernel is at fault with this input";
    const std::string varying = depends_on_order(target_, worker, input, checked.after);
    if (!varying.empty())
      return fmt::format("not recorded: '{}' depends on the order of work-items", varying);
    return {};
  }

  const Target& target_;
  const Settings& settings_;
  const Fuzzer::Report& report_;
  CompiledKernel compiled_;
  Constraints constraints_;
  std::optional<Kills> kills_;
  std::vector<std::string> known_;    // names of the cases that the first valid inputs are of
  std::optional<std::size_t> hunted_; // valid inputs when mutants were hunted last
  std::optional<Director> director_;  // compiled when it is needed
  std::map<unsigned, std::string> impossible_, conditions_; // by bit
  Generated all_;
};

// As an argument of a CMake function.
std::string quoted(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-*";
  if (text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || letter == '$')
      result += '\\';
    result += letter;
  }
  return result + '"';
}

std::string sizes_text(const std::array<std::uint32_t, 3>& sizes, unsigned dimensions) {
  return fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + dimensions, " "));
}

} // namespace

Generated generate(const Target& target, const Settings& settings, const Fuzzer::Report& report) {
  return Generator(target, settings, report).run();
}

std::string cmake_text(const Target& target, const Settings& settings, const Generated& generated,
                       const CMakeCall& call) {
  const auto relative = [&](const fs::path& path) {
    const fs::path below = fs::absolute(path).lexically_normal().lexically_relative(call.base);
    return below.empty() || below.begin()->string() == ".." ? path.string() : below.string();
  };
  const Features features(target);
  const Shape& shape = generated.shape;
  std::string text = fmt::format(
      "gputest_add_kernel({}\n  SOURCE {} KERNEL {}\n  GLOBAL_SIZE {} LOCAL_SIZE {}\n", call.name,
      quoted(relative(target.file)), target.kernel(), sizes_text(shape.global, shape.dimensions),
      sizes_text(shape.local, shape.dimensions));
  std::string arguments;
  for (const std::string& given : settings.arguments)
    arguments += fmt::format(" \"{}\"", given);
  for (std::size_t i = 0; i < generated.inferred.sizes.size(); ++i)
    if (const auto& size = generated.inferred.sizes[i])
      arguments += fmt::format(" \"{}:size={}\"", target.arguments[i].name, size->text(features));
  if (!arguments.empty())
    text += "  ARGUMENTS" + arguments + "\n";
  for (const std::string& requirement : settings.requirements)
    text += fmt::format("  REQUIRE \"{}\"\n", requirement);
  return text + call.more +
         fmt::format("  TEST_CASES {}\n  GENERATE INTO {})\n",
                     quoted(relative(settings.output / "*.json")),
                     quoted(relative(settings.output)));
}

} // namespace gputest::testgen
