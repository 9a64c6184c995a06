// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/prove.h"

#include "ir/words.h"
#include "simulator/memory/guard.h"
#include "testgen/solve/condition_text.h"
#include "testgen/solve/invariants.h"
#include "testgen/solve/names.h"
#include "testgen/solve/outcome_bits.h"
#include "testgen/solve/smtlib.h"
#include "testgen/solve/static_kernel.h"
#include "testgen/solve/statics.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace gputest::testgen {

struct Prover::Parts {
  std::optional<StaticKernel> kernel;
  std::optional<Statics> statics;
  std::vector<Label> required;
  bool has_invariants = false;

  // Returns conditions that every input meets; `small`: also those of small launches.
  std::vector<Label> allowed(bool small);
  Proof outcome(unsigned bit, bool small, Z3Process& z3, const ProofLimits& limits);
  std::optional<Proof> refuted(unsigned bit, Z3Process& z3, const ProofLimits& limits);
  std::vector<Label> in_last_of(unsigned groups, const std::vector<Label>& conditions);
  std::optional<std::vector<Label>> in_first_iteration(const std::vector<Label>& conditions);
  Verdict possible(const std::vector<Label>& conditions, Z3Process& z3, const ProofLimits& limits,
                   double& seconds);
  std::string text_of(const std::vector<Label>& conditions, std::size_t most) const;
  std::string may_happen_where(Label condition) const;
  std::string impossible(const std::vector<std::vector<Label>>& ways, bool small) const;
};

namespace {

// The limit of all questions that refute a proof but the first, which has that of proofs: it saves
// as much where arithmetic is hard. Most of them take a tenth of these steps.
constexpr double kRefutingSeconds = 0.0125;

// Asks the simplest theory first, and the next one where that does not do.
Verdict ask(const Table& table, const std::vector<Label>& conditions, Z3Process& z3,
            const ProofLimits& limits, double& seconds, const std::vector<Label>& doubts = {},
            Theory simplest = Theory::Linear) {
  Verdict verdict;
  std::vector<std::size_t> open(doubts.size()); // doubts that are not known to hold
  std::iota(open.begin(), open.end(), 0);
  double steps = 0;
  bool products = true; // of which the next theory knows more
  for (const Theory theory : {Theory::Linear, Theory::BitVectors, Theory::FloatingPoint}) {
    if (theory < simplest || (theory == Theory::BitVectors && !products))
      continue;
    std::vector<Label> asked;
    for (const std::size_t one : open)
      asked.push_back(doubts[one]);
    Script script =
        script_of(table, conditions, theory, {.quotients = true, .shifts = !limits.shifts}, asked);
    products = script.products;
    if (theory == Theory::FloatingPoint && !script.floating)
      break;
    script.question.seconds = limits.seconds;
    script.question.megabytes = limits.megabytes;
    verdict = z3.ask(script.question);
    seconds += verdict.seconds;
    steps += verdict.steps;
    for (std::size_t& wrong : verdict.wrong)
      wrong = open[wrong];
    const bool proved = verdict.kind == Verdict::Kind::Unsatisfiable;
    if ((proved && verdict.wrong.empty()) || verdict.kind == Verdict::Kind::Missing)
      break;
    if (theory == Theory::Linear && products) { // those that hold, hold with products as well
      if (proved)
        open = verdict.wrong;
    } else if (proved || !limits.floating) {
      break;
    }
  }
  verdict.steps = steps;
  return verdict;
}

} // namespace

Prover::Prover(const ir::Source& coverage, const std::string& kernel)
    : parts_(std::make_unique<Parts>()) {
  simulator::on_large_stack([&] {
    parts_->kernel.emplace(coverage, kernel);
    parts_->statics.emplace(*parts_->kernel->item, parts_->kernel->shape, coverage.text);
  });
}

Prover::Prover(Prover&&) noexcept = default;
Prover::~Prover() = default;

const ir::KernelShape& Prover::shape() const {
  return parts_->kernel->shape;
}
Table& Prover::table() {
  return parts_->statics->table;
}

Label Prover::argument(const std::string& name) {
  for (std::size_t i = 0; i < parts_->kernel->shape.parameters.size(); ++i) {
    const ir::Parameter& parameter = parts_->kernel->shape.parameters[i];
    if (parameter.name == name && parameter.kind == ir::Parameter::Kind::Value &&
        (parameter.size == 1 || parameter.size == 2 || parameter.size == 4 || parameter.size == 8))
      return parts_->statics->argument(i, 0, static_cast<unsigned>(parameter.size));
  }
  return 0;
}

Label Prover::size(Unit::Kind kind, unsigned dimension) {
  return parts_->statics->size(kind, dimension);
}

Label Prover::number(const std::string& name) {
  const Label label = argument(name);
  const auto parameter =
      std::ranges::find(parts_->kernel->shape.parameters, name, &ir::Parameter::name);
  if (!label || parameter->type == "float" || parameter->type == "double")
    return 0;
  // "uint", "unsigned int", "size_t"; bool is 0 or 1.
  const bool with_sign = !is_unsigned(parameter->type);
  return table().make(with_sign ? Op::SExt : Op::ZExt, 64, label);
}

void Prover::require(Label condition) {
  parts_->required.push_back(condition);
}

void Prover::find_invariants(Z3Process& z3, const ProofLimits& limits) {
  if (std::exchange(parts_->has_invariants, true) || limits.invariant_seconds <= 0)
    return;
  simulator::on_large_stack([&] {
    Statics& statics = *parts_->statics;
    statics.use_always(true);
    const ProofLimits quick{.seconds = 4 * std::min(limits.seconds, 1.0),
                            .megabytes = limits.megabytes,
                            .floating = false,
                            .shifts = limits.shifts};
    const std::vector<Label> allowed = parts_->allowed(true);
    double seconds = 0;
    testgen::find_invariants(
        statics,
        [&](std::vector<Label> conditions, const std::vector<Label>& doubts) {
          conditions.insert(conditions.end(), allowed.begin(), allowed.end());
          std::vector<Label> all = conditions;
          all.insert(all.end(), doubts.begin(), doubts.end());
          const std::vector<Label> facts = statics.facts(all, true);
          conditions.insert(conditions.end(), facts.begin(), facts.end());
          return statics.table.full() ? Verdict{}
                                      : ask(statics.table, conditions, z3, quick, seconds, doubts);
        },
        limits.invariant_seconds);
    if (statics.table.full())
      statics.forget_always();
  });
}

std::vector<Label> Prover::Parts::allowed(bool small) {
  std::vector<Label> all = required;
  if (small) {
    const std::vector<Label> launch = statics->small_launch();
    all.insert(all.end(), launch.begin(), launch.end());
  }
  return all;
}

// Returns the conditions as they are in the last of so many groups.
std::vector<Label> Prover::Parts::in_last_of(unsigned groups,
                                             const std::vector<Label>& conditions) {
  const std::map<Label, Label> values = statics->in_last_of(groups);
  std::vector<Label> there;
  for (const Label condition : conditions)
    there.push_back(replaced(statics->table, condition, values));
  return there;
}

// Returns the conditions with all that is known of what is in them, in the first iterations of all
// loops; nullopt: that cannot be expressed.
std::optional<std::vector<Label>>
Prover::Parts::in_first_iteration(const std::vector<Label>& conditions) {
  const std::map<Label, Label> first = statics->first_iteration();
  std::vector<Label> all;
  for (std::vector<Label> more = conditions; more != all;) { // first values have facts of their own
    all = more;
    const std::vector<Label> facts = statics->facts(all, true);
    more.insert(more.end(), facts.begin(), facts.end());
    for (Label& condition : more)
      condition = replaced(statics->table, condition, first);
    if (statics->table.full())
      return std::nullopt;
    std::ranges::sort(more);
    more.erase(std::ranges::unique(more).begin(), more.end());
  }
  const std::vector<Label> parts = parts_of(statics->table, all);
  for (const llvm::PHINode* variable : statics->loop_variables())
    if (std::ranges::binary_search(parts, statics->value(variable)))
      return std::nullopt;
  return all;
}

// Asks first what refutes most proofs: whether the outcome may happen in a small launch of one
// group or two, in the first iteration of its loops. Invariants hold there, so need not be found.
// If they are known, asks about any iteration, too. Where the outcome may happen, no attempt proves
// that it does not. Returns nullopt where that is not known, or takes too long to find out.
std::optional<Proof> Prover::Parts::refuted(unsigned bit, Z3Process& z3, const ProofLimits& whole) {
  ProofLimits limits = whole;
  statics->use_always(true);
  const auto all = settings_of(*statics, *kernel->item, kernel->shape, bit);
  if (!all || std::ranges::any_of(*all, [](const Setting& one) { return !one.known; }))
    return std::nullopt;
  for (const Setting& one : *all) {
    if (statics->table[one.condition].op == Op::Constant)
      continue;
    Proof proof;
    const auto may_happen = [&](const std::vector<Label>& conditions) {
      for (const unsigned groups : {1U, 2U}) {
        const std::vector<Label> there = in_last_of(groups, conditions);
        if (!statics->table.full() &&
            ask(statics->table, there, z3, limits, proof.z3_seconds).kind ==
                Verdict::Kind::Satisfiable)
          return true;
        limits.seconds = std::min(whole.seconds, kRefutingSeconds);
      }
      return false;
    };
    std::vector<Label> conditions = allowed(true);
    conditions.push_back(one.condition);
    statics->use_always(false);
    const auto first = in_first_iteration(conditions);
    statics->use_always(true);
    bool happens = first && may_happen(*first);
    if (!happens && has_invariants) {
      const std::vector<Label> facts = statics->facts(conditions, true);
      conditions.insert(conditions.end(), facts.begin(), facts.end());
      happens = may_happen(conditions);
    }
    if (!happens)
      continue;
    const Label condition = plain_condition(statics->table, one.condition);
    proof.reason = may_happen_where(condition);
    return proof;
  }
  return std::nullopt;
}

// Asks whether the conditions can hold: first with the quick facts. If they can, products of sizes
// may forbid it; but where a launch of one group does it, none of them does.
Verdict Prover::Parts::possible(const std::vector<Label>& conditions, Z3Process& z3,
                                const ProofLimits& limits, double& seconds) {
  Table& table = statics->table;
  const auto with = [&](const std::vector<Label>& facts) {
    std::vector<Label> all = conditions;
    all.insert(all.end(), facts.begin(), facts.end());
    return all;
  };
  const std::vector<Label> quick = statics->facts(conditions, true),
                           all = statics->facts(conditions, false);
  Verdict verdict = ask(table, with(quick), z3, limits, seconds);
  if (verdict.kind == Verdict::Kind::Unsatisfiable || verdict.kind == Verdict::Kind::Missing ||
      quick.size() == all.size())
    return verdict;
  const std::vector<Label> alone = in_last_of(1, with(quick));
  if (!table.full()) {
    verdict = ask(table, alone, z3, limits, seconds);
    if (verdict.kind == Verdict::Kind::Satisfiable)
      return verdict;
  }
  return ask(table, with(all), z3, limits, seconds, {}, Theory::BitVectors);
}

Proof Prover::Parts::outcome(unsigned bit, bool small, Z3Process& z3, const ProofLimits& limits) {
  Proof proof;
  statics->use_always(small);
  const auto all = settings_of(*statics, *kernel->item, kernel->shape, bit);
  if (!all) {
    proof.reason = "where outcomes are published cannot be followed";
    return proof;
  }
  std::vector<std::vector<Label>> ways;
  for (const Setting& one : *all) {
    if (!one.known) {
      proof.reason = "where the outcome comes from cannot be followed";
      return proof;
    }
    const Label condition = plain_condition(statics->table, one.condition);
    std::vector<Label> conditions = allowed(small);
    conditions.push_back(condition);
    if (statics->table.full()) {
      proof.reason = "there are more expressions than the limit allows";
      return proof;
    }
    const Node& node = statics->table[condition];
    if (node.op == Op::Constant && node.number == 0)
      continue;
    if (node.op == Op::Constant) {
      proof.reason = "nothing stands in its way";
      return proof;
    }
    const Verdict verdict = possible(conditions, z3, limits, proof.z3_seconds);
    if (verdict.kind != Verdict::Kind::Unsatisfiable) {
      proof.reason =
          verdict.kind == Verdict::Kind::Satisfiable ? may_happen_where(condition) : verdict.reason;
      proof.unknown = verdict.kind == Verdict::Kind::Unknown;
      return proof;
    }
    ways.push_back(conjuncts_of(statics->table, condition));
  }
  proof.kind = Proof::Kind::Impossible;
  proof.reason = impossible(ways, small);
  return proof;
}

std::string Prover::Parts::text_of(const std::vector<Label>& conditions, std::size_t most) const {
  std::vector<std::string> names; // in the words of the kernel's language, which are shorter
  for (const std::string& name : statics->names)
    names.push_back(ir::in_words_of(kernel->shape.language, name));
  return text_of_conditions(statics->table, conditions,
                            {.names = names, .naturals = statics->naturals}, most);
}

std::string Prover::Parts::may_happen_where(Label condition) const {
  return fmt::format("it may happen where {}",
                     text_of(conjuncts_of(statics->table, condition), 130));
}

// One line: of several ways to the outcome, the first.
std::string Prover::Parts::impossible(const std::vector<std::vector<Label>>& ways,
                                      bool small) const {
  if (ways.empty())
    return "what is decided there, or on the way, excludes it for all inputs";
  constexpr std::size_t kLine = 160;
  std::string reason =
      fmt::format("no values{} satisfy ", required.empty() ? "" : " that are allowed");
  const std::string end =
      small ? ", in launches of fewer than 2^31 work-items in each dimension" : "";
  std::vector<std::string> texts;
  for (const std::vector<Label>& way : ways)
    if (const std::string text = text_of(way, kLine - reason.size() - end.size());
        std::ranges::find(texts, text) == texts.end())
      texts.push_back(text);
  reason += texts.front();
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const std::string others =
        fmt::format(", nor on {} other way{}", texts.size() - i, texts.size() - i == 1 ? "" : "s");
    if (reason.size() + texts[i].size() + others.size() + end.size() > kLine)
      return reason + (reason.size() + others.size() + end.size() > kLine ? " …" : others) + end;
    reason += ", nor " + texts[i];
  }
  return reason + end;
}

Proof Prover::outcome(unsigned bit, Z3Process& z3, const ProofLimits& limits) {
  Proof proof;
  const auto attempt = [&](bool small) {
    simulator::on_large_stack([&] {
      const double before = proof.z3_seconds;
      proof = parts_->outcome(bit, small, z3, limits);
      proof.reason = ir::in_words_of(parts_->kernel->shape.language, std::move(proof.reason));
      proof.z3_seconds += before;
    });
  };
  // Floating-point theory makes one question dearer than all others.
  if (!limits.floating && limits.invariant_seconds > 0) {
    std::optional<Proof> refuted;
    simulator::on_large_stack([&] { refuted = parts_->refuted(bit, z3, limits); });
    if (refuted) {
      refuted->reason = ir::in_words_of(parts_->kernel->shape.language, std::move(refuted->reason));
      return *std::move(refuted);
    }
  }
  if (limits.all_launches)
    attempt(false);
  if (proof.kind == Proof::Kind::Impossible || limits.invariant_seconds <= 0 ||
      solver_program().empty())
    return proof;
  find_invariants(z3, limits);
  attempt(true);
  return proof;
}

} // namespace gputest::testgen
