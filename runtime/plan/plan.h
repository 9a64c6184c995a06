// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a harness needs before it touches a device. All of it is read, resolved and
// checked.
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

  model::Settings analysis; // its settings: those described, or given on the command line instead
  std::any own{};           // what the analysis read from these (AnalysisRun::prepare)
  const AnalysisRun* run = nullptr; // the analysis's row
  std::string name, kernel, function;
  std::filesystem::path source, kernel_dir, driver, simulator; // absolute
  std::filesystem::path result;                                // test.json, coverage.json, …
  model::KernelInterface interface;
  CaseDefaults defaults;
  std::vector<TestCase> cases; // those to run
  BuildSettings settings;      // the author's, and the source's folder first
  double timeout = 60;
  std::string device;
  std::span<const MachineKind> machines; // all kinds
  const MachineKind* machine = nullptr;  // the one that `device` means
  bool verbose = false;
  bool looks_for_weak = true;      // look for weak cases
  Simulation simulation;           // for machines that take instructions
  std::vector<std::string> wanted; // names of cases; empty: all

  // Opens the machine that `device` means. `simulation` is for kinds that take instructions. Throws
  // NoDevice, UsageError, DeviceError.
  std::unique_ptr<Machine> open_machine(Simulation simulation) const;
  // As above. Where that machine's kind cannot do what `can` says, opens a machine of the first
  // kind that can.
  std::unique_ptr<Machine> open_machine(bool MachineKind::* can, Simulation simulation) const;
  bool has_machine(bool MachineKind::* can) const; // is a machine there whose kind can do that?

  // Returns the file's name in the kernel's language: "mutants.cl", "mutants.cu", ….
  std::string variant_file(std::string_view of_opencl) const {
    return model::file_of_variant(of_opencl, source);
  }
  std::filesystem::path log() const; // <result>l, with a line of JSON for each finished case
};

// Makes the plan. Throws UsageError for mistakes in the description or in the files that it names,
// including each case. The tables must outlive the plan.
Plan make_plan(const KernelDescription& description, const Options& options,
               const Registry& registry);

// Throws UsageError where the kernel's files have changed since the build made variants of them.
// Results would then be those of another text.
void check_sources(const Plan& plan);

// Returns a path of a description, which is relative to the folder of the executable. Empty stays
// empty.
std::filesystem::path described_path(const std::string& path);

// Returns the root of the build: the path of the source without the name that sites.json or
// mutants.json gives it. Empty: that name is absolute, or the path does not end in it.
std::filesystem::path source_root(const std::filesystem::path& source,
                                  const std::filesystem::path& named);

// Returns the original: the author's source, and the wrapper of a device function.
Subject original_subject(const Plan& plan);

// Returns the instrumented kernel: coverage.cl and sites.json of `folder`.
Subject instrumented_subject(const Plan& plan, const std::filesystem::path& folder);

} // namespace gputest::runtime
