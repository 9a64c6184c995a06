// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves mutants equivalent: no test can kill a mutant whose changed expression has the original's
// value in every run (passes/mutation/differences.h, testgen/solve/prove.h).
#pragma once

#include "ir/frontend.h"
#include "model/mutation/mutants.h"
#include "passes/mutation/differences.h"
#include "testgen/goals/deadline.h"
#include "testgen/solve/prove.h"

#include <functional>
#include <map>
#include <string>

namespace gputest::testgen {

// Proofs for one kernel.
class EquivalenceProver {
public:
  // `original`: the source and how it is compiled. `differences` must outlive the prover. Throws
  // what compiling throws.
  EquivalenceProver(ir::Source original, const passes::mutation::Differences& differences,
                    const std::string& kernel);

  // Returns why no input of the kernel distinguishes the mutant from the original; empty: not
  // proved. `seconds`: the limit of each attempt of Z3, in steps (kStepsOfSecond).
  std::string prove(const model::Mutant& mutant, Z3Process& z3, double seconds = 0.5);

private:
  const passes::mutation::Differences& differences_;
  bool shifts_; // shifts by too much take the amount modulo the width
  Prover prover_;
};

// When prove_equivalent() ends. `steps` is the limit that counts: Z3's steps for all mutants, of
// about a minute of an idle machine. `until` is for people who cannot wait.
struct ProvingLimits {
  Deadline until{};
  double steps = 60 * kStepsOfSecond;
};

// Returns answers by the mutant's id, for switched mutants of the table: the proof if a mutant is
// proved in every kernel that reaches it, and an empty text if Z3 found none within its limits.
// Mutants for which there were no steps or no time are left out, and so are those about which Z3
// was asked in vain (Verdict::lost). If a kernel cannot be translated, its mutants are not proved,
// and `refused` is called with the reason. Throws what compiling throws otherwise.
std::map<std::string, std::string>
prove_equivalent(const ir::Source& original, const model::MutantTable& table,
                 const passes::mutation::Differences& differences, const ProvingLimits& limits,
                 const std::function<void(const std::string& why)>& refused);

} // namespace gputest::testgen
