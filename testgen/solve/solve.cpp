// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/solve.h"

#include "model/clock.h"
#include "testgen/solve/condition_text.h"
#include "testgen/solve/invert.h"
#include "testgen/solve/launches.h"
#include "testgen/solve/names.h"
#include "testgen/solve/search.h"
#include "testgen/solve/smtlib.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>

namespace gputest::testgen {
namespace {

using Clock = std::chrono::steady_clock;

// Finds conditions that share inputs with the wanted one, directly or through others. The rest hold
// as long as their inputs do not change (Cadar et al., KLEE, OSDI 2008, section 3.3).
std::vector<Label> related(const Conditions& all) {
  std::vector<Label> roots = all.prefix;
  roots.push_back(all.wanted);
  // Parts of one condition belong together; each set is known by one of its parts.
  const std::vector<Label> parts = parts_of(all.table, roots);
  std::vector<Label> set(all.table.end());
  const auto find = [&](Label label) {
    while (set[label] != label)
      label = set[label] = set[set[label]];
    return label;
  };
  for (const Label part : parts) {
    set[part] = part;
    const Node& node = all.table[part];
    for (const Label operand : {node.a, node.b, node.c})
      if (operand && all.table[operand].op != Op::Constant) // numbers are everybody's
        set[find(operand)] = part;
  }
  std::vector<Label> result;
  for (const Label condition : all.prefix)
    if (find(condition) == find(all.wanted))
      result.push_back(condition);
  std::ranges::sort(result);
  return result;
}

class Attempt {
public:
  Attempt(const Traced& traced, Conditions conditions, const SolverLimits& limits, Z3Process& z3)
      : traced_(traced), table_(conditions.table), limits_(limits), z3_(z3),
        wanted_(conditions.wanted), conditions_(related(conditions)) {
    conditions_.push_back(wanted_);
    for (const Unit& unit : traced.units)
      fixed_.push_back(unit.fixed);
  }

  Answer run() {
    const auto begin = Clock::now();
    const std::size_t rounds = hashed_rounds(table_, wanted_);
    const bool hashed = rounds >= kMostRounds;
    if (hashed) {
      limits_.evaluations = std::min(limits_.evaluations, kHashed.evaluations);
      limits_.z3_seconds = std::min(limits_.z3_seconds, kHashed.z3_seconds);
    }
    if (!input_to_state() && !launches() && !search_from_here() && !ask(Theory::BitVectors) &&
        !(floating_ && ask(Theory::FloatingPoint))) {
      answer_.hashed = hashed;
      if (hashed)
        answer_.reason = fmt::format("it lies behind a hash: {} multiplications whose bits are "
                                     "mixed, which neither search nor Z3 undoes",
                                     rounds);
      else if (answer_.reason.empty())
        answer_.reason = "neither search nor Z3 found values";
    }
    answer_.seconds = model::seconds_since(begin);
    return std::move(answer_);
  }

private:
  const Functions* functions() const { return traced_.functions.get(); }

  void found(std::vector<std::uint64_t> values, Method method) {
    answer_.kind = Answer::Kind::Found;
    answer_.method = method;
    answer_.reason.clear();
    answer_.values = std::move(values);
  }

  // Whether all conditions hold, so that the values are the answer. Where the last one does, they
  // are a start for the search.
  bool holds(Tape& all, const std::vector<std::uint64_t>& values, Method method) {
    ++answer_.evaluations;
    const auto held = all.run(values);
    if (std::ranges::all_of(held, [](std::uint64_t one) { return one != 0; })) {
      found(values, method);
      return true;
    }
    if (held.back() && starts_.size() < kMostStarts)
      starts_.push_back(values);
    return false;
  }

  // True in all of these: there is an answer.
  bool input_to_state() {
    Tape all(table_, conditions_, functions());
    offer_inverses(table_, wanted_, functions(), traced_.values, fixed_,
                   [&](const std::vector<std::uint64_t>& values) {
                     return holds(all, values, Method::InputToState) ||
                            answer_.evaluations >= kMostOffers;
                   });
    return answer_.kind == Answer::Kind::Found;
  }

  // There are so few sizes that all are tried before Z3 is asked about their quotients.
  bool launches() {
    const std::set<std::uint64_t> dimensions = wanted_dimensions();
    if (dimensions.empty() || all_parts().size() > kMostParts)
      return false;
    Tape all(table_, conditions_, functions());
    offer_launches(with_sizes_of(dimensions), traced_.values,
                   [&](const std::vector<std::uint64_t>& values) {
                     return holds(all, values, Method::Search);
                   });
    return answer_.kind == Answer::Kind::Found;
  }

  // Those with sizes that the wanted condition depends on. (Other conditions say of all dimensions
  // that a device takes the launch.)
  std::set<std::uint64_t> wanted_dimensions() const {
    std::set<std::uint64_t> dimensions;
    for (const Label part : parts_of(table_, std::span(&wanted_, 1)))
      if (table_[part].op == Op::Input && is_size(table_[part].number))
        dimensions.insert(traced_.units[table_[part].number].offset);
    return dimensions;
  }

  // The units, where sizes stay in all other dimensions.
  std::vector<Unit> with_sizes_of(const std::set<std::uint64_t>& dimensions) const {
    std::vector<Unit> units = traced_.units;
    for (std::size_t i = 0; i < units.size(); ++i)
      if (is_size(i) && !dimensions.contains(units[i].offset))
        units[i].fixed = true;
    return units;
  }

  bool is_size(std::uint64_t unit) const {
    const Unit& one = traced_.units[unit];
    return !one.fixed && (one.kind == Unit::Kind::GlobalSize || one.kind == Unit::Kind::LocalSize);
  }

  bool search_from_here() {
    bool numbers = false, calls = false;
    for (const Label part : all_parts()) {
      numbers = numbers || table_[part].op >= Op::FAdd;
      calls = calls || table_[part].op == Op::Call;
    }
    floating_ = numbers;
    // Z3 is quick for conditions that bit vectors describe completely.
    SearchLimits limits{limits_.evaluations, limits_.seconds, limits_.seed};
    const bool asks = limits_.z3_seconds > 0 && !solver_program().empty();
    if (!numbers && !calls && asks)
      limits = {std::min<std::size_t>(limits.evaluations, 1'000), limits.seconds / 10, limits.seed};
    starts_.push_back(traced_.values);
    for (const std::vector<std::uint64_t>& start : starts_) {
      SearchLimits part = limits;
      part.evaluations /= starts_.size();
      part.seconds /= static_cast<double>(starts_.size());
      SearchResult result = search(table_, conditions_, functions(), traced_.units, start, part);
      answer_.evaluations += result.evaluations;
      if (result.values) {
        found(std::move(*result.values), Method::Search);
        return true;
      }
    }
    return false;
  }

  std::vector<Label> all_parts() const { return parts_of(table_, conditions_); }

  std::size_t floating_operations() const {
    return static_cast<std::size_t>(std::ranges::count_if(all_parts(), [&](Label part) {
      const Op op = table_[part].op;
      return op >= Op::FAdd && op <= Op::FMulAdd && op != Op::FNeg && op != Op::FAbs;
    }));
  }

  // Units that the solver must not change are what they are.
  std::vector<Label> with_fixed(const std::vector<Label>& conditions) {
    std::vector<Label> all = conditions;
    for (const Label part : all_parts())
      if (const Node& node = table_[part]; node.op == Op::Input && fixed_[node.number])
        all.push_back(table_.make(Op::Equal, 1, part,
                                  table_.constant(traced_.values[node.number], node.bits)));
    return all;
  }

  bool ask(Theory theory) {
    const std::size_t circuits = theory == Theory::FloatingPoint ? floating_operations() : 0;
    if (limits_.z3_seconds <= 0 || circuits > limits_.z3_circuits)
      return false;
    answer_.z3_circuits += circuits;
    Script script = script_of(table_, with_fixed(conditions_), theory);
    script.question.seconds = limits_.z3_seconds;
    script.question.megabytes = limits_.z3_megabytes;
    const Verdict verdict = z3_.ask(script.question);
    answer_.z3_seconds += verdict.seconds;
    const Method method = theory == Theory::BitVectors ? Method::BitVectors : Method::FloatingPoint;
    switch (verdict.kind) {
    case Verdict::Kind::Unsatisfiable:
      answer_.kind = Answer::Kind::Infeasible;
      answer_.method = method;
      answer_.reason = fmt::format("no input satisfies the {} conditions of this way there "
                                   "(proved by Z3)",
                                   conditions_.size());
      return true;
    case Verdict::Kind::Satisfiable: {
      std::vector<std::uint64_t> values = traced_.values;
      for (const auto& [name, value] : verdict.values)
        values[std::stoull(name.substr(1))] = value;
      Tape all(table_, conditions_, functions());
      ++answer_.evaluations;
      if (std::ranges::all_of(all.run(values), [](std::uint64_t one) { return one != 0; })) {
        found(std::move(values), method);
        return true;
      }
      // A search from these values may satisfy what Z3 does not know about.
      SearchResult result = search(table_, conditions_, functions(), traced_.units, values,
                                   {limits_.evaluations / 4, limits_.seconds / 4, limits_.seed});
      answer_.evaluations += result.evaluations;
      if (result.values) {
        found(std::move(*result.values), method);
        return true;
      }
      answer_.reason =
          "search found no values, and Z3 knows too little of its functions or floating-point "
          "numbers";
      return false;
    }
    default:
      answer_.reason = verdict.reason;
      return false;
    }
  }

  static constexpr std::size_t kMostOffers = 2'000, kMostStarts = 3;
  static constexpr std::size_t kMostRounds = 8; // hashed_rounds(), beyond which little is tried
  static constexpr SolverLimits kHashed{.evaluations = 2'000, .z3_seconds = 0.25};
  static constexpr std::size_t kMostParts = 2'000; // of what is computed for each launch

  const Traced& traced_;
  Table table_;
  SolverLimits limits_;
  Z3Process& z3_;
  Label wanted_;
  std::vector<Label> conditions_; // the wanted one last
  std::vector<bool> fixed_;
  std::vector<std::vector<std::uint64_t>> starts_;
  bool floating_ = false;
  Answer answer_;
};

} // namespace

std::size_t hashed_rounds(const Table& table, Label root) {
  // By label: the rounds so far, and whether the last product's bits were mixed since.
  struct Rounds {
    std::size_t count = 0;
    bool mixed = true;
  };
  std::vector<Rounds> rounds(table.end());
  for (const Label label : parts_of(table, std::span(&root, 1))) {
    const Node& node = table[label];
    Rounds most;
    for (const Label operand : {node.a, node.b, node.c})
      if (operand && table[operand].op != Op::Constant && rounds[operand].count >= most.count)
        most = rounds[operand];
    if (node.op == Op::Mul && most.mixed)
      most = {.count = most.count + 1, .mixed = false};
    else if (node.op == Op::Xor || node.op == Op::LShr || node.op == Op::Concat)
      most.mixed = true;
    rounds[label] = most;
  }
  return rounds[root].count;
}

namespace {

std::string text_of_wanted(const Conditions& conditions, const Traced& traced) {
  constexpr std::size_t kMost = 60; // with a reason, the whole takes a line
  std::vector<bool> naturals;
  for (const Unit& unit : traced.units)
    naturals.push_back(unit.kind != Unit::Kind::Argument ||
                       is_unsigned(traced.shape->parameters[unit.argument].type));
  return text_of_conditions(
      conditions.table, conjuncts_of(conditions.table, conditions.wanted),
      {.names = traced.unit_names(), .naturals = naturals, .functions = traced.functions.get()},
      kMost);
}

} // namespace

Answer Solver::solve(const Traced& traced, const Wanted& wanted, const SolverLimits& limits) {
  Conditions conditions = conditions_of(traced, wanted);
  const std::string condition = text_of_wanted(conditions, traced);
  Answer answer;
  if (conditions.table.full()) {
    answer.reason = "there are more expressions than the limit allows";
  } else if (conditions.table[conditions.wanted].op == Op::Constant) {
    const bool holds = conditions.table[conditions.wanted].number != 0;
    answer.kind = holds ? Answer::Kind::Found : Answer::Kind::Infeasible;
    answer.values = traced.values;
    answer.reason = holds ? "" : "the condition is the same for all inputs";
  } else {
    answer = Attempt(traced, std::move(conditions), limits, z3_).run();
  }
  answer.condition = condition;
  if (answer.kind == Answer::Kind::Found) {
    answer.arguments = traced.arguments_with(answer.values);
    answer.launch = traced.launch_with(answer.values);
  }
  return answer;
}

Reached Solver::reach(Tracer& tracer, const Traced& traced, const Wanted& wanted,
                      const SolverLimits& limits, const TraceOptions& options, unsigned rounds) {
  Reached reached;
  std::optional<Traced> last;
  Wanted next = wanted;
  for (const Traced* from = &traced; reached.rounds < rounds; from = &*last) {
    ++reached.rounds;
    reached.answer = solve(*from, next, limits);
    if (reached.rounds == 1 && reached.answer.kind != Answer::Kind::Found &&
        wanted.prefix == Wanted::Prefix::WorkItem) {
      Wanted fewer = wanted;
      fewer.prefix = Wanted::Prefix::Deciding;
      if (conditions_of(traced, fewer).prefix.size() < conditions_of(traced, wanted).prefix.size())
        if (Answer answer = solve(traced, fewer, limits); answer.kind == Answer::Kind::Found) {
          reached.answer = std::move(answer);
          next = fewer;
        }
    }
    if (reached.answer.kind == Answer::Kind::Infeasible && reached.rounds > 1) {
      reached.answer.kind = Answer::Kind::Open; // of another path than that asked about
      return reached;
    }
    if (reached.answer.kind != Answer::Kind::Found)
      return reached;
    Traced run = tracer.trace(reached.answer.launch, reached.answer.arguments, options);
    const bool there = took(*from, next, run);
    const std::optional<std::size_t> again = same_event(*from, next.event, run);
    reached.traced = std::move(run);
    if (there)
      return reached;
    if (!again || reached.traced->result.fatal)
      break;
    last = *reached.traced;
    next.event = *again;
    next.also.clear(); // labels of another table
  }
  reached.answer.kind = Answer::Kind::Open;
  reached.answer.reason = "the kernel takes another way with the values that were found";
  return reached;
}

} // namespace gputest::testgen
