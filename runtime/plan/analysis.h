// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a host program: kinds of machines, and what it does for each analysis
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
  // Reads plan.analysis into plan.own before cases are read, and may change the rest of the plan.
  // Throws UsageError. nullptr: there is nothing to read.
  void (*prepare)(Plan& plan, const Options& options) = nullptr;
  // Runs the cases, prints results and writes plan.result. Returns the exit code. nullptr: what the
  // default analysis runs.
  int (*run)(const Plan& plan, const KernelDescription& description) = nullptr;
  // Returns what --compare runs beside the original, in a worker; nullptr: the variant for
  // coverage. `comparison` is the name of its file of results; empty: comparison.json.
  Subject (*variant)(const Plan& plan, Machine& machine) = nullptr;
  std::string_view comparison{};
  bool makes_inputs = false;  // it makes inputs itself, so that ARGUMENTS alone are no case
  bool renames_items = false; // gives work-items other ids on machines that take no orders
  bool simulates = false;     // its cases run in the simulator, whatever the plan's machine is
};

// The tables. They must outlive what is made of them.
struct Registry {
  // First the kind that any other name of a device means.
  std::span<const MachineKind> machines;
  std::span<const model::Analysis> analyses; // the first is the one that runs by default
  std::span<const AnalysisRun> runs;         // one for each analysis
};

// Returns the row of the analysis. Throws std::logic_error where there is none.
const AnalysisRun& run_of(const Registry& registry, const model::Analysis& analysis);

} // namespace gputest::runtime
