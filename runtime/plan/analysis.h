// What host programs know of: kinds of machines, and what they do for each analysis
// (model/analyses.h). The table of kinds is in runtime/harness/registry.cpp. Each folder of
// runtime/analyses/ that has the name of a row has a function <name>_analysis() that returns an
// AnalysisRun; CONTRIBUTING.md, "Add an analysis".
#pragma once

#include "model/analyses.h"
#include "runtime/machine/kind.h"
#include "runtime/plan/description.h"

#include <span>
#include <string_view>

namespace gputest::runtime {

struct Options;
struct Plan;
struct Subject;

struct AnalysisRun {
  std::string_view name;
  // Reads plan.analysis into plan.own, before cases are read, and may change what else the plan
  // says. Throws UsageError. nullptr: there is nothing to read.
  void (*prepare)(Plan& plan, const Options& options) = nullptr;
  // Runs the cases, prints, writes plan.result. Returns the exit code.
  int (*run)(const Plan& plan, const KernelDescription& description) = nullptr;
  // What --compare runs beside the original, and where it says how that went; nullptr, empty: the
  // variant for coverage. In a worker.
  Subject (*variant)(const Plan& plan, Machine& machine) = nullptr;
  std::string_view comparison{};
  bool makes_inputs = false; // ARGUMENTS alone are no case
};

// Tables that must outlive what is made of them.
struct Registry {
  std::span<const MachineKind> machines;     // first the kind that any other name of a device means
  std::span<const model::Analysis> analyses; // first the one that is run where none is asked for
  std::span<const AnalysisRun> runs;         // one for each of these
};

// The row of the analysis. Throws std::logic_error where there is no row for it.
const AnalysisRun& run_of(const Registry& registry, const model::Analysis& analysis);

} // namespace gputest::runtime
