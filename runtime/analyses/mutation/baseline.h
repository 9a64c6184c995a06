// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline: what the original does with each test case. Mutants are compared with it.
#pragma once

#include "process/memory_file.h"
#include "runtime/analyses/mutation/oracle.h"
#include "runtime/analyses/third_judge.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

struct CaseBaseline {
  std::string content; // hash of the case: arguments, sizes, expected outputs, tolerance
  std::string problem; // empty: the original passes
  std::string wrong; // what mutants.cl without an active mutant computes and the original does not
  Opinion opinion{}; // where something is wrong
  bool deterministic = true;          // all runs left the same outputs
  std::vector<std::uint32_t> reached; // bits of sites
  std::vector<std::uint32_t> harm; // bits of guards and votes that stop the original; empty: none
  std::uint32_t iterations = 0;    // of the busiest work-item's loops
  double seconds = 0;              // the slowest run, its transfers included
  double first_seconds = 0;        // the first run, in which the device may compile
  std::vector<ExpectedOutput> outputs;

  bool is_sound() const { return problem.empty() && wrong.empty(); }
};

// Returns the seconds that `runs` runs of a mutant may take. `compiles`: the device may have to
// compile for the first run. `work`: the mutant may have this many times as much to do
// (work_factor()).
double time_limit(const CaseBaseline& baseline, double factor, unsigned runs, bool compiles,
                  std::uint64_t work);

// Returns CaseBaseline::content. `program` identifies code that judges the case as well; it may be
// empty.
std::string content_of(const BoundCase& test_case, const std::vector<ExpectedOutput>& outputs,
                       const std::string& program = "");

// Memory that outlives the process that wrote it. One worker saves the baselines, and the workers
// forked later load them. All functions throw std::runtime_error where the system has no memory for
// it.
class BaselineMemory {
public:
  void save(std::span<const CaseBaseline> cases) const;
  std::vector<CaseBaseline> load() const;

private:
  process::MemoryFile file_{"gputest-baseline"};
};

} // namespace gputest::runtime
