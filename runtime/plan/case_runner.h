// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a bound test case on a machine, and judges what the kernel left.
#pragma once

#include "model/coverage.h"
#include "model/mutation/mutants.h"
#include "runtime/cases/bound_case.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/oracles.h"
#include "runtime/variants/coverage_state.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gputest::runtime {

struct CaseResult {
  // Passed, Failed or Error.
  model::CaseVerdict verdict = model::CaseVerdict::Passed;
  std::string message;               // empty when passed
  int exit_code = 0;                 // 0 or 1; for an Error, 2 or 3
  bool launched = false;             // true: the case's memory is what the kernel left
  bool has_oracle = true;            // false: only crashes, guard zones and NaN were judged
  double seconds = 0;                // seconds of the kernel alone
  std::optional<Recorded> recorded;  // coverage; with Subject::sites
  std::vector<model::Finding> notes; // LaunchOutcome::notes
};

// The program to run. With `sites` it is the instrumented kernel. With `mutants` it holds all
// mutants, none of which is active. If `scheduled`, it has remapped ids, and runs as launched.
// Otherwise it is the original.
struct Subject {
  std::string source; // what messages call it
  std::string text, kernel;
  BuildSettings settings;
  std::optional<model::SiteTable> sites{};
  std::optional<model::MutantTable> mutants{};
  bool scheduled = false; // cases must have a local size
};

class CaseRunner {
public:
  // Builds the program. Throws BuildError, and UsageError where there is no such kernel.
  CaseRunner(Machine& machine, Subject subject, Oracles oracles);

  // Runs and judges a case. `blame` is told whose code runs next: "kernel 'sum'", "the reference
  // function". What is read back replaces the case's memory. Errors of a kernel or its arguments
  // are not thrown but become the verdict, except KernelFault, which ends this process.
  CaseResult run(BoundCase& test_case, const std::function<void(const std::string&)>& blame);

  // Only launches the case, to compare and time variants. The case's memory becomes what the kernel
  // left. Returns the seconds of the kernel. Throws what a launch throws, and KernelError for
  // writes out of bounds.
  double launch_alone(BoundCase& test_case);

  const Subject& subject() const { return subject_; }
  const std::string& build_log() const { return build_log_; }

private:
  BuiltKernel& kernel(bool slots);
  std::string doer(const BoundCase& test_case);
  void launch(BoundCase& test_case, CaseResult& result);
  void judge(const BoundCase& initial, const BoundCase& computed, CaseResult& result,
             const std::function<void(const std::string&)>& blame);

  Machine& machine_;
  Subject subject_;
  Oracles oracles_;
  std::map<bool, std::unique_ptr<BuiltKernel>> kernels_; // by whether they use slots (use_slots())
  std::string build_log_;
};

} // namespace gputest::runtime
