// Running one bound test case on a machine and judging what came out.
#pragma once

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
  std::string verdict = "passed";   // "passed", "failed" or "error"
  std::string message;              // empty when passed
  int exit_code = 0;                // 0, 1, or of an "error" 2 or 3
  bool launched = false;            // the case's memory is what the kernel left
  bool has_oracle = true;           // false: only crashes, guard zones and NaN were looked at
  double seconds = 0;               // of the kernel alone
  std::optional<Recorded> recorded; // coverage
};

// The program to run: the original, with `sites` the instrumented one, with `mutants` the one that
// holds all mutants, of which none is active, if `scheduled` the one with remapped ids, as
// launched.
struct Subject {
  std::string source; // what messages call it
  std::string text, kernel;
  BuildSettings settings;
  std::optional<model::SiteTable> sites{};
  std::optional<model::MutantTable> mutants{};
  bool scheduled = false; // cases have a local size
};

class CaseRunner {
public:
  // Builds the program. Throws BuildError, UsageError without such a kernel.
  CaseRunner(Machine& machine, Subject subject, Oracles oracles);

  // `blame` is told whose code runs next ("kernel 'sum'", "the reference function"). What is read
  // back replaces the case's memory. Throws nothing that a kernel or its arguments cause: that is
  // the verdict. The exception is KernelFault: it is the end of this process.
  CaseResult run(BoundCase& test_case, const std::function<void(const std::string&)>& blame);

  // Only the launch, for who compares and times variants: the case's memory afterwards, and the
  // seconds of the kernel. Throws what a launch throws, KernelError for writes out of bounds.
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
  std::map<bool, std::unique_ptr<BuiltKernel>> kernels_; // by whether they flush to slots
  std::string build_log_;
};

} // namespace gputest::runtime
