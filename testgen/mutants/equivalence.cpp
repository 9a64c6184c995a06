#include "testgen/mutants/equivalence.h"

#include "ir/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gputest::testgen {

EquivalenceProver::EquivalenceProver(simulator::Source original,
                                     const passes::mutation::Differences& differences,
                                     const std::string& kernel)
    : differences_(differences), shifts_(!original.by_itself),
      prover_(simulator::with_text(std::move(original), differences.text), kernel) {}

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
prove_equivalent(const simulator::Source& original, const model::MutantTable& table,
                 const passes::mutation::Differences& differences,
                 std::chrono::steady_clock::time_point until,
                 const std::function<void(const std::string&)>& refused) {
  std::map<std::string, std::string> proofs;
  std::set<std::string> open; // ids: some kernel has no proof
  Z3Process z3;
  for (const model::MutatedKernel& kernel : table.kernels) {
    std::optional<EquivalenceProver> prover;
    bool is_refused = false;
    for (const model::Mutant& mutant : table.mutants) {
      if (!differences.bits.contains(mutant.number) || open.contains(mutant.id) ||
          mutant.kind != model::MutantKind::Switched ||
          std::ranges::find(kernel.functions, mutant.function) == kernel.functions.end())
        continue;
      std::string proof;
      if (std::chrono::steady_clock::now() < until && !is_refused) {
        try {
          if (!prover)
            prover.emplace(original, differences, kernel.name);
          proof = prover->prove(mutant, z3);
        } catch (const simulator::SourceError& error) { // there may be other kernels
          refused(error.what());
          is_refused = true;
        }
      }
      if (proof.empty()) {
        open.insert(mutant.id);
        proofs.erase(mutant.id);
      } else {
        proofs.try_emplace(mutant.id, std::move(proof));
      }
    }
  }
  return proofs;
}

} // namespace gputest::testgen
