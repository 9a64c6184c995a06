// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/prove.h"

#include "ir/words.h"
#include "simulator/memory/guard.h"
#include "testgen/solve/invariants.h"
#include "testgen/solve/outcome_bits.h"
#include "testgen/solve/smtlib.h"
#include "testgen/solve/static_kernel.h"
#include "testgen/solve/statics.h"

#include <algorithm>
#include <fmt/format.h>
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
};

namespace {

Verdict ask(const Table& table, const std::vector<Label>& conditions, Z3Process& z3,
            const ProofLimits& limits, double& seconds, const std::vector<Label>& doubts = {}) {
  Verdict verdict;
  for (const Theory theory : {Theory::BitVectors, Theory::FloatingPoint}) {
    Script script =
        script_of(table, conditions, theory, {.quotients = true, .shifts = !limits.shifts}, doubts);
    if (theory == Theory::FloatingPoint && !script.floating)
      break;
    script.question.seconds = limits.seconds;
    script.question.megabytes = limits.megabytes;
    verdict = z3.ask(script.question);
    seconds += verdict.seconds;
    if (verdict.kind == Verdict::Kind::Unsatisfiable || verdict.kind == Verdict::Kind::Missing ||
        !limits.floating)
      break;
  }
  return verdict;
}

} // namespace

Prover::Prover(const ir::Source& coverage, const std::string& kernel)
    : parts_(std::make_unique<Parts>()) {
  simulator::on_large_stack([&] {
    parts_->kernel.emplace(coverage, kernel);
    parts_->statics.emplace(*parts_->kernel->item, parts_->kernel->shape);
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
  const bool with_sign =
      !parameter->type.starts_with("u") && parameter->type != "size_t" && parameter->type != "bool";
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

Proof Prover::Parts::outcome(unsigned bit, bool small, Z3Process& z3, const ProofLimits& limits) {
  Proof proof;
  statics->use_always(small);
  const auto all = settings_of(*statics, *kernel->item, kernel->shape, bit);
  if (!all) {
    proof.reason = "where outcomes are published cannot be followed";
    return proof;
  }
  std::string reasons;
  for (const Setting& one : *all) {
    if (!one.known) {
      proof.reason = "where the outcome comes from cannot be followed";
      return proof;
    }
    const std::string text = text_of(statics->table, one.condition, statics->names);
    std::vector<Label> conditions = allowed(small);
    conditions.push_back(one.condition);
    if (statics->table.full()) {
      proof.reason = "there are more expressions than the limit allows";
      return proof;
    }
    const Node& node = statics->table[one.condition];
    if (node.op == Op::Constant && node.number == 0)
      continue;
    if (node.op == Op::Constant) {
      proof.reason = "nothing stands in its way";
      return proof;
    }
    Verdict verdict;
    std::size_t before = 0;
    for (const bool quick : {true, false}) {
      const std::vector<Label> facts = statics->facts(conditions, quick);
      if (facts.size() == before && !quick)
        break; // there are no more
      before = facts.size();
      std::vector<Label> all_of_them = conditions;
      all_of_them.insert(all_of_them.end(), facts.begin(), facts.end());
      verdict = ask(statics->table, all_of_them, z3, limits, proof.z3_seconds);
      if (verdict.kind == Verdict::Kind::Unsatisfiable || verdict.kind == Verdict::Kind::Missing)
        break;
    }
    if (verdict.kind != Verdict::Kind::Unsatisfiable) {
      proof.reason = verdict.kind == Verdict::Kind::Satisfiable
                         ? fmt::format("it may happen where {}", text)
                         : verdict.reason;
      proof.unknown = verdict.kind == Verdict::Kind::Unknown;
      return proof;
    }
    if (reasons.find(text) == std::string::npos)
      reasons += (reasons.empty() ? "" : ", nor ") + text;
  }
  proof.kind = Proof::Kind::Impossible;
  proof.reason = reasons.empty()
                     ? "no statement that can run records it"
                     : fmt::format("no values{} satisfy {}{}",
                                   required.empty() ? "" : " that are allowed", reasons,
                                   small ? ", in launches of fewer than 2^31 work-items in each "
                                           "dimension"
                                         : "");
  return proof;
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
