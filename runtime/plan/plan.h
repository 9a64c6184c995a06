// Everything a harness needs before the first device is touched: read, resolved and checked.
#pragma once

#include "model/interface.h"
#include "model/settings.h"
#include "runtime/cases/bound_case.h"
#include "runtime/plan/analysis.h"
#include "runtime/plan/case_runner.h"
#include "runtime/plan/description.h"
#include "runtime/plan/options.h"

#include <any>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Plan {
  explicit Plan(model::Settings given) : analysis(std::move(given)) {}

  model::Settings analysis;         // with what is described of it, or given instead
  std::any own{};                   // what the analysis made of these (AnalysisRun::prepare)
  const AnalysisRun* run = nullptr; // its row
  std::string name, kernel, function;
  std::filesystem::path source, kernel_dir, driver, simulator; // absolute
  std::filesystem::path result;                                // test.json, coverage.json, …
  model::KernelInterface interface;
  CaseDefaults defaults;
  std::vector<TestCase> cases; // those to run
  BuildSettings settings;      // as the author gave them, and the source's folder first
  double timeout = 60;
  std::string device;
  std::span<const MachineKind> machines; // all kinds
  const MachineKind* machine = nullptr;  // the one that `device` means
  bool verbose = false;
  bool looks_for_weak = true;      // which cases are weak
  Simulation simulation;           // of machines that take instructions
  std::vector<std::string> wanted; // names of cases; empty: all

  // The machine that `device` means. `simulation`: for kinds that take instructions. Throws
  // NoDevice, UsageError, DeviceError.
  std::unique_ptr<Machine> open_machine(Simulation simulation) const;
  // That one, or where its kind cannot do this the first of a kind that can.
  std::unique_ptr<Machine> open_machine(bool MachineKind::* can, Simulation simulation) const;
  bool has_machine(bool MachineKind::* can) const; // is there such a one?

  // "mutants.cl", or what that is called in the kernel's language.
  std::string variant_file(std::string_view of_opencl) const {
    return model::file_of_variant(of_opencl, settings.language);
  }
  std::filesystem::path log() const; // <result>l: a line of JSON for each finished case
};

// Throws UsageError for whatever is wrong with the description or the files it names, each case
// included. The tables must outlive the plan.
Plan make_plan(const KernelDescription& description, const Options& options,
               const Registry& registry);

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
