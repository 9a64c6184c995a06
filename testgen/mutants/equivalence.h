// Proves mutants equivalent: no test can kill a mutant whose changed expression has the original's
// value in every run (passes/mutation/differences.h, testgen/solve/prove.h).
#pragma once

#include "ir/frontend.h"
#include "model/mutation/mutants.h"
#include "passes/mutation/differences.h"
#include "testgen/solve/prove.h"

#include <chrono>
#include <functional>
#include <map>
#include <string>

namespace gputest::testgen {

// Proofs for one kernel.
class EquivalenceProver {
public:
  // `original`: the source and how it is compiled. `differences` must outlive the prover. Throws
  // what compiling throws.
  EquivalenceProver(simulator::Source original, const passes::mutation::Differences& differences,
                    const std::string& kernel);

  // Returns why no input of the kernel distinguishes the mutant from the original; empty: not
  // proved. `seconds`: the limit of each attempt of Z3.
  std::string prove(const model::Mutant& mutant, Z3Process& z3, double seconds = 0.5);

private:
  const passes::mutation::Differences& differences_;
  bool shifts_; // shifts by too much take the amount modulo the width
  Prover prover_;
};

// Returns proofs by the mutant's id, for switched mutants of the table that are proved in every
// kernel that reaches them. Attempts that would begin after `until` are left out. If a kernel
// cannot be translated, its mutants are not proved, and `refused` is called with the reason. Throws
// what compiling throws otherwise.
std::map<std::string, std::string>
prove_equivalent(const simulator::Source& original, const model::MutantTable& table,
                 const passes::mutation::Differences& differences,
                 std::chrono::steady_clock::time_point until,
                 const std::function<void(const std::string& why)>& refused);

} // namespace gputest::testgen
