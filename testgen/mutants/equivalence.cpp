// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/mutants/equivalence.h"

#include "ir/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace gputest::testgen {

namespace {

// Returns what is said of the original, because comparisons beside expressions move columns.
std::string message_of_original(const ir::Source& original, const std::string& kernel,
                                const ir::SourceError& moved) {
  try {
    const Prover prover(original, kernel);
  } catch (const ir::SourceError& error) {
    return error.what();
  }
  return moved.what();
}

} // namespace

EquivalenceProver::EquivalenceProver(ir::Source original,
                                     const passes::mutation::Differences& differences,
                                     const std::string& kernel)
    : differences_(differences), shifts_(!original.by_itself),
      prover_(ir::with_text(std::move(original), differences.text), kernel) {}

std::string EquivalenceProver::prove(const model::Mutant& mutant, Z3Process& z3, double seconds) {
  const auto known = differences_.bits.find(mutant.number);
  if (mutant.kind != model::MutantKind::Switched || known == differences_.bits.end() ||
      !known->second.proves)
    return {};
  const Proof proof = prover_.outcome(known->second.bit, z3,
                                      {.seconds = seconds, .floating = false, .shifts = shifts_});
  return proof.kind == Proof::Kind::Impossible
             ? fmt::format("it never has another value there: {}", proof.reason)
             : "";
}

std::map<std::string, std::string>
prove_equivalent(const ir::Source& original, const model::MutantTable& table,
                 const passes::mutation::Differences& differences, const ProvingLimits& limits,
                 const std::function<void(const std::string&)>& refused) {
  std::map<std::string, std::string> answers;
  std::set<std::string> unanswered; // ids
  Z3Process z3;
  for (const model::MutatedKernel& kernel : table.kernels) {
    std::optional<EquivalenceProver> prover;
    bool is_refused = false;
    for (const model::Mutant& mutant : table.mutants) {
      if (!differences.bits.contains(mutant.number) || mutant.kind != model::MutantKind::Switched ||
          std::ranges::find(kernel.functions, mutant.function) == kernel.functions.end())
        continue;
      const auto [answer, is_first] = answers.try_emplace(mutant.id);
      if (!is_first && answer->second.empty()) // of another kernel
        continue;
      const std::string before = std::exchange(answer->second, {});
      if (is_refused || unanswered.contains(mutant.id))
        continue;
      if (limits.until.over() || z3.steps() > limits.steps) {
        unanswered.insert(mutant.id);
        continue;
      }
      try {
        if (!prover)
          prover.emplace(original, differences, kernel.name);
        answer->second = prover->prove(mutant, z3);
        if (answer->second.empty() && z3.has_lost()) // it may lack invariants, too
          unanswered.insert(mutant.id);
        else if (!answer->second.empty() && !is_first)
          answer->second = before;
      } catch (const ir::SourceError& error) { // there may be other kernels
        refused(message_of_original(original, kernel.name, error));
        is_refused = true;
      }
    }
  }
  for (const model::Mutant& mutant : table.mutants) // of others there is nothing to prove
    if (mutant.kind == model::MutantKind::Switched)
      answers.try_emplace(mutant.id);
  for (const std::string& id : unanswered)
    answers.erase(id);
  return answers;
}

} // namespace gputest::testgen
