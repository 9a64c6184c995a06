// What a host program does for each analysis (model/analyses.h). A row is in
// runtime/harness/registry.cpp; CONTRIBUTING.md, "Add an analysis".
#pragma once

#include "runtime/harness/description.h"
#include "runtime/machine/machine.h"

#include <string_view>

namespace gputest::runtime {

struct Options;
struct Plan;
struct Subject;

struct AnalysisRun {
  std::string_view name;
  // Reads plan.analysis into plan.own, before cases are read, and may change what else the plan
  // says.
  // Throws UsageError. nullptr: there is nothing to read.
  void (*prepare)(Plan& plan, const Options& options) = nullptr;
  // Runs the cases, prints, writes plan.result. Returns the exit code.
  int (*run)(const Plan& plan, const KernelDescription& description) = nullptr;
  // What --compare runs beside the original, and where it says how that went; nullptr, empty: the
  // variant for coverage. In a worker.
  Subject (*variant)(const Plan& plan, Machine& machine) = nullptr;
  std::string_view comparison{};
  bool makes_inputs = false; // ARGUMENTS alone are no case
};

} // namespace gputest::runtime
