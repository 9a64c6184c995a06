// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/directed/server.h"

#include "ir/words.h"
#include "model/language.h"
#include "process/child.h"
#include "testgen/directed/messages.h"
#include "testgen/directed/required_way.h"
#include "testgen/directed/traced_input.h"
#include "testgen/inputs/required.h"
#include "testgen/mutants/equivalence.h"
#include "testgen/solve/prove.h"
#include "testgen/solve/solve.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sys/socket.h>

namespace gputest::testgen {
namespace {

using runtime::Bytes;

constexpr std::size_t kMostEvents = 8;   // that are turned around for each input
constexpr std::size_t kSameDecision = 2; // work-items of which one decision is turned around

constexpr double kProofSeconds = 1; // of each of Z3's attempts to prove an outcome impossible
constexpr double kQuickProofSeconds = 0.25; // of those before what holds in loops is looked for
constexpr double kInvariantSeconds = 4;     // to find what holds in loops
constexpr std::size_t kMostUnknown = 6;     // outcomes of which Z3 knows nothing, before it is left
constexpr std::size_t kMostDecisions = 32;  // of one goal that are tried
constexpr std::size_t kMostExcluded = 12;   // of these, if Z3 proves that nothing turns any of them
constexpr SolverLimits kLimits{.seconds = 2, .z3_seconds = 3}; // of each decision
constexpr std::size_t kMostUndecided = 2; // runs in which all executions of others are turned
constexpr std::size_t kMostTurned = 8;    // others in each of them
constexpr SolverLimits kTurned{.evaluations = 1'000, .seconds = 0.2, .z3_seconds = 1};
constexpr SolverLimits kCheap{.evaluations = 1'000, .seconds = 0.2, .z3_seconds = 0};
// Effort::Briefly has these limits.
constexpr std::size_t kFewDecisions = 6;
constexpr SolverLimits kBrief{.evaluations = 4'000, .seconds = 10, .z3_seconds = 0.25};

bool inside(const model::CodePlace& place, const model::Site& site) {
  if (place.line < site.line || place.line > site.end_line)
    return false;
  return (place.line > site.line || place.column >= site.column) &&
         (place.line < site.end_line || place.column < site.end_column);
}

const SolverLimits& limits_of(Effort effort) {
  return effort == Effort::Cheaply ? kCheap : effort == Effort::Briefly ? kBrief : kLimits;
}

// The site whose decisions are those of the goal's: `do` decides at its end.
const model::Site& deciding_site(const std::vector<model::Site>& sites, std::size_t goal) {
  using model::Criterion;
  if (sites[goal].criterion != Criterion::Loop || sites[goal].kind != "do")
    return sites[goal];
  std::size_t open = 1;
  const model::Site* other = nullptr; // the latest loop that decides at its begin
  for (std::size_t i = goal + 1; i < sites.size() && sites[i].function == sites[goal].function;
       ++i) {
    const model::Site& site = sites[i];
    if (site.criterion == Criterion::Loop && site.kind == "do")
      ++open;
    else if (site.criterion == Criterion::Loop)
      other = &site;
    else if (site.criterion == Criterion::Branch && site.kind == "loop" &&
             !(other &&
               inside({.file = site.file, .line = site.line, .column = site.column}, *other)) &&
             --open == 0)
      return site;
  }
  return sites[goal];
}

using IsThere = std::function<bool(const TracedSite&)>;

// Decisions at a place that, turned around, may lead to the goal.
std::vector<std::size_t> decisions_at(const Traced& traced, const IsThere& is_there) {
  std::vector<std::size_t> found;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> times;
  for (std::size_t i = 0; i < traced.events.size() && found.size() < kMostEvents; ++i) {
    const Event& event = traced.events[i];
    const TracedSite& at = (*traced.sites)[event.site];
    if (at.kind == TracedSite::Kind::Address || !is_there(at))
      continue;
    if (times[{event.site, event.value}]++ < kSameDecision)
      found.push_back(i);
  }
  return found;
}

class Server {
public:
  Server(const Target& target, const Constraints& constraints, int socket,
         const std::atomic<bool>& is_over)
      : target_(target), constraints_(constraints), socket_(socket), is_over_(is_over) {}

  void run() {
    Words words;
    std::array<std::byte, 65536> part;
    while (true) {
      while (const auto question = words.take()) {
        try {
          answer(*question);
        } catch (const std::exception& error) {
          send_word(socket_, Word::Open, std::string(error.what()));
        }
        if (!send_word(socket_, Word::Done, ""))
          return;
      }
      const ssize_t size = ::recv(socket_, part.data(), part.size(), 0);
      if (size <= 0)
        return;
      words.add(part.data(), static_cast<std::size_t>(size));
    }
  }

private:
  void answer(const Words::One& question) {
    Reader reader(question.bytes.data(), question.bytes.size());
    if (question.word != Word::Solve) {
      const auto goals = reader.take_sized<std::vector<Goal>>();
      if (question.word == Word::Mutants)
        prepare_equivalence();
      else
        prepare_proofs(question.word == Word::Invariants);
      work([&] { prove(goals, question.word); });
      return;
    }
    const auto asked = reader.take<SolveQuestion>();
    std::vector<Input> inputs;
    for (std::uint32_t i = 0; i < asked.inputs; ++i)
      inputs.push_back(take_input(reader, target_.arguments.size()));
    tracer_for(asked);
    work([&] { solve(asked, inputs); });
  }

  // Runs in a fork of this process, so that a broken or slow launch ends with the fork.
  void work(const std::function<void()>& does) {
    process::Tries tries;
    process::Ended ended;
    do {
      process::Child child = process::Child::fork([&] {
        try {
          does();
        } catch (const std::exception& error) {
          send_word(socket_, Word::Open, std::string(error.what()));
        }
      });
      const pid_t process = child.id();
      send_word(socket_, Word::Started, &process, sizeof process);
      ended = child.wait();
    } while (tries.again(is_over_ ? process::Ended() : ended, "the process that asks the solver"));
    if (!tries.given_up().empty())
      send_word(socket_, Word::Open, tries.given_up());
  }

  // -- What is made once -------------------------------------------------------------------------

  Tracer& tracer_for(const SolveQuestion& asked) {
    std::optional<Tracer>& wanted = tracers_[{asked.goal.mutant != nullptr, asked.sizes}];
    if (!wanted) {
      wanted.emplace(asked.goal.mutant
                         ? ir::with_text(target_.original, target_.mutants->differences.text)
                         : target_.original,
                     target_.kernel(), Traceable{.launch_sizes = asked.sizes});
    }
    return *wanted;
  }

  void prepare_proofs(bool invariants) {
    if (!prover_) {
      prover_.emplace(target_.instrumented, target_.kernel());
      require(*prover_, target_, constraints_);
    }
    if (!invariants)
      return;
    Z3Process z3;
    prover_->find_invariants(z3, {.invariant_seconds = kInvariantSeconds});
  }

  void prepare_equivalence() {
    if (!equivalence_)
      equivalence_.emplace(target_.original, target_.mutants->differences, target_.kernel());
  }

  // -- In a copy ---------------------------------------------------------------------------------

  void prove(const std::vector<Goal>& goals, Word word) {
    Z3Process z3;
    std::size_t unknown = 0;
    for (const Goal& goal : goals) {
      if (unknown >= kMostUnknown)
        return;
      const std::string proof = word == Word::Mutants ? equivalence_->prove(*goal.mutant, z3)
                                                      : impossible(goal, word, z3, unknown);
      Bytes bytes(sizeof goal.bit + sizeof(std::uint64_t) + proof.size());
      Writer writer(bytes.data(), bytes.size());
      writer.put(goal.bit);
      writer.put_text(proof);
      send_word(socket_, Word::Proof, bytes.data(), bytes.size());
    }
  }

  std::string impossible(const Goal& goal, Word word, Z3Process& z3, std::size_t& unknown) {
    const bool invariants = word == Word::Invariants;
    const Proof proof =
        prover_->outcome(goal.bit, z3,
                         {.seconds = invariants ? kProofSeconds : kQuickProofSeconds,
                          .all_launches = !invariants,
                          .invariant_seconds = invariants ? kInvariantSeconds : 0});
    unknown += proof.unknown;
    return proof.kind == Proof::Kind::Impossible ? proof.reason : "";
  }

  IsThere place_of(const Goal& goal) const {
    if (!goal.mutant)
      return [&site = deciding_site(target_.sites.sites, goal.site)](const TracedSite& at) {
        return !at.library && (inside(at.place, site) || inside(at.condition, site));
      };
    const unsigned line = target_.mutants->differences.bits.at(goal.mutant->number).bit + 1;
    return [line](const TracedSite& at) {
      return at.kind == TracedSite::Kind::Branch && at.place.line == line &&
             at.place.file.ends_with(passes::mutation::kDifferencesFile);
    };
  }

  void solve(const SolveQuestion& asked, const std::vector<Input>& inputs) {
    Tracer& tracing = tracer_for(asked);
    const TraceOptions options{.launch_sizes = asked.sizes,
                               .solve_launch_sizes = asked.sizes,
                               .keep_local_sizes =
                                   target_.interface.required_work_group_size.has_value(),
                               .offsets = asked.sizes && has_offsets(target_, constraints_)};
    Solver solver;
    std::size_t tried = 0, excluded = 0;
    bool late = false;
    std::vector<Undecided> undecided;
    for (const Input& input : inputs) {
      std::vector<Argument> arguments = arguments_of(target_, input);
      if (tracing.shape().parameters.size() == arguments.size() + 1) // differences are recorded in
        arguments.push_back({.kind = ir::Parameter::Kind::Buffer,
                             .bytes = runtime::Bytes(target_.mutants->bytes_of_differences())});
      Traced traced = tracing.trace(launch_of(input.shape), arguments, options);
      late = late || traced.late;
      tell_if_late(traced);
      if (traced.result.fatal)
        continue;
      for (const std::size_t event : decisions_at(traced, place_of(asked.goal))) {
        if (excluded == kMostExcluded ||
            tried++ == (asked.effort == Effort::Briefly ? kFewDecisions : kMostDecisions))
          return;
        const TracedSite& at = (*traced.sites)[traced.events[event].site];
        const std::size_t ways = at.kind == TracedSite::Kind::Switch ? at.cases.size() + 1 : 1;
        for (std::size_t way = 0; way < ways; ++way) {
          // Addresses depend on sizes, and memory grows to what is accessed.
          Wanted wanted{.event = event, .keep_addresses = !asked.sizes};
          if (constraints_.has_requirements())
            wanted.required = [&](const Traced& run, Table& table) {
              return required_way(run, table, target_, constraints_);
            };
          if (ways > 1)
            wanted.way = way;
          const Reached reached =
              solver.reach(tracing, traced, wanted, limits_of(asked.effort), options);
          const Answer& answer = reached.answer;
          excluded = answer.kind == Answer::Kind::Infeasible ? excluded + 1 : 0;
          // The goal may be reached even if the run goes another way, or if its decision no longer
          // depends on inputs.
          if (reached.traced)
            tell(answer.method,
                 with_answer(input, reached.traced->launch, reached.traced->arguments, target_));
          if (reached.traced)
            tell_if_late(*reached.traced);
          if (reached.traced && simulator::is_endless(reached.traced->result)) {
            // It was interrupted anywhere, and left things in this process half done.
            send_word(socket_, Word::Open, reached.traced->late ? kLate : kWaitsForever);
            return;
          }
          if (answer.hashed)
            send_word(socket_, Word::Open, in_words(answer.reason));
          else if (answer.kind != Answer::Kind::Found && !answer.condition.empty())
            send_word(
                socket_, Word::Open,
                in_words(answer.condition + (answer.reason.empty() ? "" : ": " + answer.reason)));
        }
      }
      if (tried == 0 && undecided.size() < kMostUndecided)
        undecided.push_back({&input, std::move(traced)});
    }
    if (tried != 0 || inputs.empty())
      return;
    const bool indirect = std::ranges::none_of(tracing.sites(), place_of(asked.goal));
    for (const Undecided& one : undecided)
      if (indirect && asked.effort == Effort::Fully)
        turn_together(tracing, one, solver, asked, options);
    send_word(socket_, Word::Open,
              late                ? kLate
              : undecided.empty() ? "the launches that were traced end with a fault, or not at all"
              : indirect ? "no argument decides there itself, only how often or where others did"
                         : "no argument changes what is decided there; perhaps another work-item "
                           "must, and they run one after the other");
  }

  // A run in which no decision at the goal's place is an expression of the arguments.
  struct Undecided {
    const Input* input;
    Traced traced;
  };

  // A decision that depends on others, such as how often they went one way: makes all executions of
  // one of these go the same way.
  void turn_together(Tracer& tracing, const Undecided& run, Solver& solver,
                     const SolveQuestion& asked, const TraceOptions& options) {
    const Traced& traced = run.traced;
    struct Ways {
      std::set<Label> labels;                            // of different conditions
      std::array<std::optional<std::size_t>, 2> first{}; // the first event that went this way
    };
    std::map<std::uint32_t, Ways> by_site;
    for (std::size_t i = 0; i < traced.events.size(); ++i) {
      const Event& event = traced.events[i];
      const TracedSite& at = (*traced.sites)[event.site];
      if (at.library || at.kind == TracedSite::Kind::Address || at.kind == TracedSite::Kind::Switch)
        continue;
      Ways& ways = by_site[event.site];
      ways.labels.insert(event.label);
      std::optional<std::size_t>& first = ways.first[way_of(at, event)];
      first = first.value_or(i);
    }
    std::size_t tried = 0;
    for (const auto& one : by_site)
      for (const std::size_t way : {1, 0}) {
        const std::uint32_t site = one.first;
        const Ways& ways = one.second;
        const std::optional<std::size_t> first = ways.first[1 - way];
        if (ways.labels.size() < 2 || !first || tried++ >= kMostTurned)
          continue;
        Wanted wanted{.event = *first, .way = way, .keep_addresses = !asked.sizes};
        wanted.required = [&, site, way](const Traced& now, Table& table) {
          std::vector<Label> all = constraints_.has_requirements()
                                       ? required_way(now, table, target_, constraints_)
                                       : std::vector<Label>();
          for (const Event& event : now.events)
            if (event.site == site)
              all.push_back(is_way(table, (*now.sites)[site], event, way));
          return all;
        };
        const Reached reached = solver.reach(tracing, traced, wanted, kTurned, options);
        if (!reached.traced)
          continue;
        tell_if_late(*reached.traced);
        tell(reached.answer.method,
             with_answer(*run.input, reached.traced->launch, reached.traced->arguments, target_));
      }
  }

  std::string in_words(std::string text) const {
    return ir::in_words_of(model::language_of(target_.file), std::move(text));
  }

  void tell_if_late(const Traced& traced) const {
    if (traced.late)
      send_word(socket_, Word::Late, "");
  }

  void tell(Method method, const std::optional<Input>& found) const {
    if (!found)
      return;
    Bytes bytes(sizeof method + encoded_size(*found));
    Writer writer(bytes.data(), bytes.size());
    writer.put(method);
    put(writer, *found);
    send_word(socket_, Word::Input, bytes.data(), bytes.size());
  }

  const Target& target_;
  const Constraints& constraints_;
  int socket_;
  const std::atomic<bool>& is_over_;
  std::map<std::pair<bool, bool>, std::optional<Tracer>> tracers_; // of differences.cl; with sizes
  std::optional<Prover> prover_;
  std::optional<EquivalenceProver> equivalence_;
};

} // namespace

void answer_questions(const Target& target, const Constraints& constraints, int socket,
                      const std::atomic<bool>& is_over) {
  Server(target, constraints, socket, is_over).run();
}

} // namespace gputest::testgen
