// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/generate.h"

#include "ir/error.h"
#include "memory/analysis.h"
#include "memory/generate/address_search.h"
#include "memory/generate/schedules.h"
#include "memory/generate/states.h"
#include "model/interface.h"
#include "testgen/goals/work_clock.h"
#include "testgen/solve/solve.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gputest::memory {
namespace {

using testgen::Label;

constexpr std::size_t kSchedulesOfSolved = 4, kSchedulesOfChosen = 3;
// Turns of the guided strategy, and its limits.
enum class Turn { Schedules, Inputs, Addresses, Solving };
constexpr std::array kTurns{Turn::Addresses, Turn::Schedules, Turn::Addresses, Turn::Inputs,
                            Turn::Addresses, Turn::Schedules, Turn::Addresses, Turn::Solving};
constexpr double kPartOfSolving = 0.25; // of the time
constexpr double kPartOfDescribing = 0.125;
constexpr std::size_t kMostTogether = 4; // states of other warps that are solved together
constexpr double kTogetherSeconds = 0.3; // after which no more are asked for
// With fewer states, solved inputs are traced, too. Tracing expressions takes long.
constexpr std::size_t kFewStates = 64;
constexpr double kTracingSeconds = 10;      // of the first run with expressions
constexpr std::size_t kMostCondition = 300; // characters

const testgen::SolverLimits kLimits{
    .evaluations = 500, .seconds = 0.05, .z3_seconds = 0.25, .z3_megabytes = 1024};
constexpr double kLeastOfZ3 = 0.02; // seconds, at the end of the time

// Where an input comes from (FoundCase).
struct Origin {
  std::string condition{};
  std::optional<Addresses::Aim> aim{};
};

class Search {
public:
  Search(const ir::Source& source, const testgen::Target& target,
         const testgen::Constraints& constraints, const Tracer& tracer, const TracedLaunch& first,
         const Gpu& gpu, const GenerateSettings& settings)
      : source_(source), target_(target), tracer_(tracer), first_(first), gpu_(gpu),
        settings_(settings), trace_(tracer.trace(first, gpu.warps())),
        known_(tracer.classify(first, gpu)), reach_(tracer.static_kernel(), known_),
        states_(reach_, settings.seed), random_(settings.seed),
        inputs_(target, constraints, first, trace_), items_of_group_(first.sizes.items_of_group()),
        addresses_([this](const TracedLaunch& launch) { return traced_of(launch); }, trace_, gpu,
                   inputs_, items_of_group_, settings.seed),
        worst_{.launch = first}, schedules_(settings.seed) {
    sure_hits_ = sure_hits_of(known_, trace_, items_of_group_);
    found_.run.resize(trace_.references.size());
  }

  Generated run() {
    begin_ = clock_.seconds();
    prepare_paths();
    TracedLaunch launch = first_;
    if (inputs_.any() && matters_) // as in the paper
      launch = inputs_.random(random_);
    const bool ends_well = try_input(launch, {});
    if (!ends_well || (matters_ && settings_.strategy == Strategy::Guided))
      try_input(first_, {});
    while (!is_over()) {
      std::optional<AddressSearch::Proposal> proposal = addresses_.next(worst_.launch);
      if (!proposal)
        break;
      try_proposal(*proposal, kSchedulesOfChosen);
    }
    while (!is_over())
      next();
    describe();
    found_.states = states_.seen();
    found_.seconds = seconds();
    return std::move(found_);
  }

private:
  double seconds() const { return clock_.seconds() - begin_; }
  bool is_over() const {
    return seconds() + describing() >= settings_.seconds ||
           (settings_.executions != 0 && attempts_ >= settings_.executions);
  }
  // What describe() takes, at most a part of the time.
  double describing() const {
    return std::min(following_ * static_cast<double>(settings_.cases),
                    kPartOfDescribing * settings_.seconds);
  }

  // Whether inputs make a difference and can be solved.
  void prepare_paths() {
    if (!inputs_.any()) {
      found_.note = "no buffer is read whose content could be another one";
      matters_ = false;
      return;
    }
    options_.symbolic = inputs_.symbolic();
    options_.nodes = 1 << 21;
    try {
      expressions_.emplace(source_, target_.kernel());
      const double began = seconds();
      std::optional<testgen::Traced> traced = traced_of(first_);
      if (!traced) {
        found_.note = "the kernel does not end well where expressions are followed";
        expressions_.reset();
      } else if (traced->complete && depends_on_nothing(*traced)) {
        found_.note = "no decision and no address depends on what buffers hold";
        matters_ = false;
        expressions_.reset();
      } else if (settings_.strategy == Strategy::Guided) {
        addresses_.begin(std::move(*traced));
        following_ = seconds() - began;
      }
      if (expressions_ && seconds() - began > kTracingSeconds) {
        found_.note = "following expressions takes too long";
        expressions_.reset();
      }
    } catch (const std::exception& error) { // the tracer cannot compile the kernel
      found_.note = error.what();
      expressions_.reset();
    }
  }

  static bool depends_on_nothing(const testgen::Traced& traced) {
    return std::ranges::none_of(traced.events, [&](const testgen::Event& event) {
      using Kind = testgen::TracedSite::Kind;
      const Kind kind = (*traced.sites)[event.site].kind;
      return kind == Kind::Branch || kind == Kind::Switch || kind == Kind::Address ||
             kind == Kind::Exchange;
    });
  }

  // nullopt: the kernel fails, or expressions are not followed.
  std::optional<testgen::Traced> traced_of(const TracedLaunch& launch) {
    if (!expressions_)
      return std::nullopt;
    testgen::Launch sizes = inputs_.launch();
    sizes.limit = kTracingSeconds;
    testgen::Traced traced = expressions_->trace(sizes, inputs_.arguments(launch), options_);
    if (traced.result.fatal || !traced.result.findings.empty())
      return std::nullopt;
    return traced;
  }

  std::optional<LaunchTrace> trace_of(const TracedLaunch& launch) {
    try {
      return tracer_.trace(launch, gpu_.warps());
    } catch (const ir::InputError&) {
      ++attempts_;
      ++found_.faulty;
      return std::nullopt;
    }
  }

  enum class Ties { Take, Leave }; // inputs that lose as many cycles as the worst known one

  // Makes one test: the input with several schedules if it was solved or chosen, because that takes
  // longer than running. Returns false if the kernel fails with this input.
  bool try_input(const TracedLaunch& launch, const Origin& origin, std::size_t times = 1,
                 Ties ties = Ties::Take) {
    std::optional<LaunchTrace> own;
    if (matters_) {
      own = trace_of(launch);
      if (!own)
        return false;
    }
    const LaunchTrace& trace = matters_ ? *own : trace_;
    bool is_worst = false;
    for (std::size_t i = 0; i < times; ++i) {
      const auto with_worst = execute(trace, launch, origin,
                                      settings_.strategy != Strategy::Guided ? random_schedule()
                                      : i == 0 && schedules_.lost() >= 0     ? schedules_.worst()
                                                                             : schedules_.next());
      is_worst = is_worst || with_worst > 0 || (with_worst == 0 && ties == Ties::Take);
    }
    if (settings_.strategy == Strategy::SymbolicRandom && states_.size() < kFewStates)
      add_states(launch);
    if (is_worst)
      worst_ = {
          .launch = launch, .trace = std::move(own), .origin = origin, .number = worst_.number + 1};
    return true;
  }

  void add_states(const TracedLaunch& launch) {
    if (!expressions_)
      return;
    if (std::optional<testgen::Traced> traced = traced_of(launch))
      states_.add(std::make_shared<const Paths>(
          paths_of(std::make_shared<const testgen::Traced>(std::move(*traced)), items_of_group_,
                   trace_.group_count(), gpu_.warp_size)));
  }

  WarpChoice random_schedule() {
    return {.kind = WarpChoice::Kind::Random, .seed = random_.next() >> 32};
  }

  // Compares the lost cycles with those of the worst execution before.
  std::partial_ordering execute(const LaunchTrace& trace, const TracedLaunch& launch,
                                const Origin& origin, const WarpChoice& choice) {
    ++attempts_;
    const RunCount count =
        memory::run(gpu_, trace, {.choice = choice, .monitor = true, .sure_hits = sure_hits_});
    ++found_.executions;
    for (std::size_t i = 0; i < count.references.size(); ++i)
      if (count.references[i].executions != 0)
        found_.run[i] = true;
    for (const auto& [where, loss] : count.losses) {
      const std::uint64_t key = (std::uint64_t{where.first} << 32 | where.second) << 1;
      if (loss.evicted != 0)
        issues_.insert(key);
      if (loss.queued != 0)
        issues_.insert(key | 1);
    }
    const double harm = keep(launch, choice, origin, count);
    const auto with_worst = harm <=> schedules_.lost();
    schedules_.tried(choice, harm, count.choices_made);
    const FoundCase& first = found_.cases.front();
    auto& progress = found_.progress; // keeps the last of equal entries
    if (progress.size() > 1 && progress.back().issues == issues_.size() &&
        progress.back().lost == first.lost && progress[progress.size() - 2].lost == first.lost &&
        progress[progress.size() - 2].issues == issues_.size())
      progress.pop_back();
    progress.push_back({.seconds = seconds(),
                        .executions = found_.executions,
                        .issues = issues_.size(),
                        .lost = first.lost,
                        .overhead_percent = 100 * first.share()});
    return with_worst;
  }

  // Returns how bad the execution is.
  double keep(const TracedLaunch& launch, const WarpChoice& choice, const Origin& origin,
              const RunCount& count) {
    const auto harm_of = [&](const FoundCase& one) { return one.harm(settings_.worst_by); };
    auto& cases = found_.cases;
    const FoundCase measured{.launch = {},
                             .choice = choice,
                             .condition = {},
                             .cycles = count.cycles,
                             .lost = count.lost};
    const double harm = harm_of(measured);
    // A schedule with the same result is not another case.
    for (const FoundCase& other : cases)
      if (other.cycles == count.cycles && other.lost == count.lost)
        return harm;
    if (cases.size() == settings_.cases && harm_of(cases.back()) >= harm)
      return harm;
    cases.push_back(measured);
    cases.back().launch = launch;
    cases.back().condition = origin.condition;
    cases.back().aim = origin.aim;
    std::ranges::stable_sort(cases, std::greater{}, harm_of);
    if (cases.size() > settings_.cases)
      cases.pop_back();
    return harm;
  }

  void next() {
    if (settings_.strategy == Strategy::Guided)
      return next_guided();
    if (!matters_)
      execute(trace_, first_, {}, random_schedule());
    else if (settings_.strategy == Strategy::Random || states_.empty())
      try_input(inputs_.random(random_), {});
    else
      solve(states_.take(false));
  }

  // Takes turns: schedules of the worst input, inputs near it, and inputs for states.
  void next_guided() {
    Turn turn = matters_ ? kTurns[turns_++ % kTurns.size()] : Turn::Schedules;
    if (turn == Turn::Addresses) {
      if (const auto proposal = addresses_.near(worst_.launch, worst_.number))
        return try_proposal(*proposal, 1);
      turn = Turn::Schedules;
    }
    if (turn == Turn::Solving && may_solve()) {
      const double began = seconds();
      if (states_.empty() && !worst_.expanded) {
        worst_.expanded = true;
        add_states(worst_.launch);
      }
      if (!states_.empty())
        solve(states_.take(true));
      solving_ += seconds() - began;
    } else if (turn == Turn::Inputs) {
      try_input(inputs_.changed(worst_.launch, random_), {.aim = worst_.origin.aim});
    } else {
      execute(worst_.trace ? *worst_.trace : trace_, worst_.launch, worst_.origin,
              schedules_.next());
    }
  }

  void try_proposal(const AddressSearch::Proposal& proposal, std::size_t times) {
    ++found_.solved;
    const double before = schedules_.lost();
    const bool as_worst = proposal.is_part && worst_.origin.aim;
    const Addresses::Aim aim = as_worst ? *worst_.origin.aim : proposal.aim;
    try_input(proposal.launch, {.aim = aim}, times,
              Ties::Leave); // what is chosen for the sites before is of the worst input
    addresses_.tried(schedules_.lost() > before);
  }

  // Says what inputs do in their own runs: what has been changed later may have undone a part of
  // what was aimed at. Where a run takes too long, nothing is said.
  void describe() {
    for (FoundCase& one : found_.cases)
      if (one.aim && seconds() + following_ <= settings_.seconds)
        one.condition = addresses_.text_of(one.launch, *one.aim);
  }

  // Solving gets only a part of the time, because running is much quicker.
  bool may_solve() const {
    return settings_.executions != 0 || solving_ <= kPartOfSolving * seconds();
  }

  // Algorithm 1: solves this state together with as many states of other warps as possible.
  void solve(const State& state) {
    const double began = seconds();
    testgen::Traced work = *state.paths->traced;
    const std::vector<Label> domains = inputs_.domains(work);
    std::vector<Label> held = States::prefix_of(state, work.table);
    std::string condition;
    if (!reach(work, state.event, held, domains))
      return;
    held.push_back(States::turned(state, work.table));
    condition = testgen::text_of(work.table, held.back(), work.unit_names(), kMostCondition);
    std::size_t together = 0;
    for (const State& other : states_.others(state, settings_.strategy == Strategy::Guided)) {
      if (together == kMostTogether || is_over() || seconds() - began > kTogetherSeconds)
        break;
      ++together;
      std::vector<Label> more = States::prefix_of(other, work.table);
      more.insert(more.end(), held.begin(), held.end());
      if (!reach(work, other.event, more, domains))
        continue;
      states_.remove(other);
      held = std::move(more);
      held.push_back(States::turned(other, work.table));
      condition +=
          " and " + testgen::text_of(work.table, held.back(), work.unit_names(), kMostCondition);
    }
    if (const auto launch = inputs_.launch_of(work.arguments_with(work.values))) {
      ++found_.solved;
      try_input(*launch, {.condition = condition}, kSchedulesOfSolved);
    }
  }

  // Changes the run's values so that the event goes another way. Returns false if no solution is
  // known.
  bool reach(testgen::Traced& work, std::size_t event, const std::vector<Label>& held,
             const std::vector<Label>& domains) {
    testgen::Wanted wanted{.event = event, .keep_addresses = false, .also = held};
    wanted.also.insert(wanted.also.end(), domains.begin(), domains.end());
    testgen::SolverLimits limits = kLimits;
    if (settings_.executions == 0) // with a number of these, results do not depend on time
      limits.z3_seconds = std::clamp(kPartOfSolving * (settings_.seconds - seconds()), kLeastOfZ3,
                                     limits.z3_seconds);
    const testgen::Answer answer = solver_.solve(work, wanted, limits);
    if (answer.kind != testgen::Answer::Kind::Found)
      return false;
    work.values = answer.values;
    return true;
  }

  const ir::Source& source_;
  const testgen::Target& target_;
  const Tracer& tracer_;
  const TracedLaunch& first_;
  const Gpu& gpu_;
  const GenerateSettings& settings_;
  const LaunchTrace trace_; // of `first_`
  const StaticReport known_;
  const Reach reach_;
  States states_;
  testgen::Random random_;
  const Inputs inputs_;
  const std::size_t items_of_group_;
  AddressSearch addresses_;
  testgen::Solver solver_;
  testgen::TraceOptions options_;
  std::optional<testgen::Tracer> expressions_;
  std::size_t attempts_ = 0;
  std::vector<std::uint8_t> sure_hits_;
  bool matters_ = true; // whether the kernel's accesses depend on buffers
  // Guided: the input of the worst execution.
  struct Worst {
    TracedLaunch launch;
    std::optional<LaunchTrace> trace{}; // nothing: that of `first_`
    Origin origin{};
    std::size_t number = 0; // another one for each launch
    bool expanded = false;  // its states are known
  };
  Worst worst_;
  ScheduleSearch schedules_;
  std::size_t turns_ = 0;
  double solving_ = 0;   // seconds
  double following_ = 0; // guided: seconds of the first run with expressions
  std::set<std::uint64_t> issues_;
  // Processor time: another load on the machine takes nothing from the search.
  testgen::WorkClock clock_;
  double begin_ = 0;
  Generated found_;
};

} // namespace

Strategy strategy_named(const std::string& name) {
  if (const auto strategy = model::named<Strategy>(name))
    return *strategy;
  throw model::FormatError(
      fmt::format("error: --strategy '{}' is none of guided, symbolic-random, random", name));
}

Generated generate(const ir::Source& source, const testgen::Target& target,
                   const testgen::Constraints& constraints, const Tracer& tracer,
                   const TracedLaunch& first, const Gpu& gpu, const GenerateSettings& settings) {
  return Search(source, target, constraints, tracer, first, gpu, settings).run();
}

} // namespace gputest::memory
