// Mutants that nothing can kill, because what they change has the original's value in every run
// (passes/mutation/differences.h, testgen/solve/prove.h).
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
  // `original`: how the source is compiled. Throws what compiling throws.
  EquivalenceProver(simulator::Source original, const passes::mutation::Differences& differences,
                    const std::string& kernel);

  // Why no input of the kernel can tell the mutant from the original; empty: not proved.
  // `seconds`: of each of Z3's attempts.
  std::string prove(const model::Mutant& mutant, Z3Process& z3, double seconds = 0.5);

private:
  const passes::mutation::Differences& differences_;
  bool shifts_; // by too much are what OpenCL C says
  Prover prover_;
};

// Proofs, by id, of those of the table's switched mutants that are proved for every kernel that
// reaches them. What is not begun by `until` is not proved, nor what kernels reach that cannot be
// looked at: `refused` is told why. Throws what compiling throws otherwise.
std::map<std::string, std::string>
prove_equivalent(const simulator::Source& original, const model::MutantTable& table,
                 const passes::mutation::Differences& differences,
                 std::chrono::steady_clock::time_point until,
                 const std::function<void(const std::string& why)>& refused);

} // namespace gputest::testgen
