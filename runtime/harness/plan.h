// Everything a harness needs before the first device is touched: read, resolved and checked.
#pragma once

#include "gputest/harness.h"
#include "model/coverage.h"
#include "runtime/analyses/mutation/plan.h"
#include "runtime/analyses/schedules/plan.h"
#include "runtime/cases/bound_case.h"
#include "runtime/harness/case_runner.h"
#include "runtime/harness/options.h"
#include "runtime/machine/simulation.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Plan {
  std::string name, kernel, function;
  std::filesystem::path source, kernel_dir, driver, simulator; // absolute
  std::filesystem::path result;                                // test.json or coverage.json
  model::KernelInterface interface;
  CaseDefaults defaults;
  std::vector<TestCase> cases; // those to run
  BuildSettings settings;      // as the author gave them, and the source's folder first
  double timeout = 60;
  std::string device;
  model::Thresholds thresholds;
  bool coverage = false, verbose = false;
  std::optional<MutationPlan> mutation;  // --mutation
  std::optional<SchedulePlan> schedules; // --schedules, --schedule
  Simulation simulation;                 // of --device simulator and --check
  bool check = false;                    // --check
  std::uint64_t interleavings = 100'000; // of a case, at most; of --check interleavings

  std::filesystem::path log() const; // <result>l: a line of JSON for each finished case
};

// Throws UsageError for whatever is wrong with the description or the files it names, each case
// included.
Plan make_plan(const KernelDescription& description, const Options& options);

// Throws UsageError where the kernel's files are not what they were when the build made its
// variants of them: results would be of another text than the one that is there.
void check_sources(const Plan& plan);

// A path of a description: relative to the folder of the executable. Empty stays empty.
std::filesystem::path described_path(const std::string& path);

// What the build took for the root: the path of the source without the name that sites.json or
// mutants.json gives it. Empty where that is absolute, or no end of the path.
std::filesystem::path source_root(const std::filesystem::path& source,
                                  const std::filesystem::path& named);

// What to build: the author's source (and the wrapper of a device function).
Subject original_subject(const Plan& plan);

// coverage.cl and sites.json of `folder`.
Subject instrumented_subject(const Plan& plan, const std::filesystem::path& folder);

} // namespace gputest::runtime
