// What a generated host program consists of: a description of one kernel and a call of
// harness_main.
//
//     #include "gputest/harness.h"
//
//     int main(int argc, char** argv) {
//       const gputest::KernelDescription kernel{
//           .name = "partial_sum",
//           .source = "../../partial_sum.cl",
//           .kernel = "sum",
//           .kernel_dir = "../gputest/partial_sum",
//           .global_size = {6},
//           .local_size = {3},
//           .test_cases = {"../../cases/six.json"},
//           .tolerance = {.absolute = 1e-6, .relative = 1e-5},
//           .thresholds = {{"branch", 100}, {"loop", 75}},
//           .driver = "/usr/bin/gputest",
//       };
//       return gputest::harness_main(kernel, argc, argv);
//     }
//
// Needs nothing but the standard library and CL/cl.h. The command line is in docs/command-line.md.
#pragma once

#include "gputest/launch.h"
#include "gputest/reference.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest {

// How --mutation runs the mutants; each has an option that overrides it.
struct Mutation {
  std::optional<double> threshold{}; // percent of mutants to kill; less: exit code 1
  // Names of operators, "conventional", "gpu" or "all" (`gputest mutants --list-operators`); none:
  // all.
  std::vector<std::string> operators{};
  unsigned repeat = 3;              // runs of each test case for each mutant
  std::optional<unsigned> sample{}; // so many mutants, drawn by `seed`; none: all
  unsigned seed = 1;
  std::string since{};        // git ref: mutants on lines changed since then; empty: all
  double timeout_factor = 10; // wall-clock limit of a mutant: so many times what the original took
  bool all_cases = false;     // run every case, even when one has killed the mutant already
  std::string store{};        // SQLite file of outcomes; empty: results.db beside kernel_dir
};

// How --schedules orders work-groups and work-items; each has an option that overrides it.
struct Schedules {
  std::string strategy = "all"; // or "permute", "first", "serial", "reverse"
  unsigned count = 10;          // schedules for each test case
  unsigned repeat = 3;          // runs of each
  unsigned seed = 1;
};

// Paths that are not absolute are relative to the folder the executable is in.
struct KernelDescription {
  std::string name{};     // gputest_add_kernel(<name> …); names the results
  std::string source{};   // the author's file
  std::string kernel{};   // the entry; of a device function under test, "gputest_<function>"
  std::string function{}; // the device function under test; empty: a kernel is tested

  // Holds interface.json, coverage.cl, sites.json, for a function wrapper.cl, for mutation
  // mutants.cl and mutants.json, and for schedules schedule.cl, guarded.cl and schedule-sites.json.
  // Results go there.
  std::string kernel_dir{};
  std::string user_interface{}; // an interface.json the user has edited; empty: none

  std::vector<std::size_t> global_size{}; // 1 to 3 numbers
  // As many; empty: reqd_work_group_size, else the device chooses.
  std::vector<std::size_t> local_size{};

  // "name=3.5", "name:size=64,fill=iota", …: docs/gputest_add_kernel.md. Their files are paths as
  // all others here.
  std::vector<std::string> arguments{};
  std::vector<std::string> test_cases{}; // JSON files; none: one case made of `arguments`
  Tolerance tolerance{};

  std::vector<std::string> build_options{}; // for the device's compiler: "-cl-fast-relaxed-math"
  std::vector<std::string> definitions{};   // "NAME" or "NAME=VALUE"
  std::vector<std::string> include_dirs{};  // the source's own folder is searched first
  std::string cl_std{}; // "CL1.2", "CL2.0", "CL3.0"; empty: the compiler's default

  double timeout = 60;  // seconds for each test case
  std::string device{}; // as --device; empty: GPUTEST_DEVICE, else the first

  // Percent by criterion: "statement", "branch", "condition", "loop", "barrier".
  std::map<std::string, double> thresholds{};
  Mutation mutation{};
  Schedules schedules{};
  std::vector<std::string> checks{};     // of --check, "races" …; empty: the default ones
  std::uint64_t interleavings = 100'000; // of a case, at most; of the check of that name
  std::string driver{}; // the gputest command, for devices whose macros differ; also GPUTEST_DRIVER
  std::string simulator{}; // the program of --device simulator; also GPUTEST_SIMULATOR

  std::function<void(const ReferenceCall&)> reference{}; // empty: none
};

// Returns the exit code: 0 held, 1 a test failed or a threshold was missed, 2 wrong usage or input,
// 3 internal or device failure, 77 no OpenCL device. Throws nothing.
int harness_main(const KernelDescription& description, int argc, const char* const* argv);

} // namespace gputest
