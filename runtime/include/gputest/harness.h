// A generated host program consists of a description of one kernel and a call of harness_main.
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
//           .settings = {{"coverage.branch", "100"}, {"coverage.loop", "75"}},
//           .driver = "/usr/bin/gputest",
//       };
//       return gputest::harness_main(kernel, argc, argv);
//     }
//
// This header needs only the standard library and CL/cl.h. docs/command-line.md describes the
// command line.
#pragma once

#include "gputest/launch.h"
#include "gputest/property.h"
#include "gputest/reference.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest {

// Relative paths are relative to the folder of the executable.
struct KernelDescription {
  std::string name{};     // gputest_add_kernel(<name> …); names the results
  std::string source{};   // the author's file
  std::string kernel{};   // the entry; for a device function under test, "gputest_<function>"
  std::string function{}; // the device function under test; empty: a kernel is tested

  // Of a CUDA file, .cl is .cu. Holds interface.json, coverage.cl and sites.json; for a function
  // wrapper.cl; for mutation mutants.cl and mutants.json; for schedules schedule.cl, guarded.cl and
  // schedule-sites.json. Results go there.
  std::string kernel_dir{};
  std::string user_interface{}; // an interface.json the user has edited; empty: none

  std::vector<std::size_t> global_size{}; // 1 to 3 numbers
  // As many numbers. Empty: reqd_work_group_size, else the device chooses.
  std::vector<std::size_t> local_size{};

  std::size_t shared_memory = 0; // of CUDA: bytes of dynamic __shared__ memory of a block

  // "name=3.5", "name:size=64,fill=iota", … (docs/gputest_add_kernel.md). Their files are paths
  // like all others here.
  std::vector<std::string> arguments{};
  std::vector<std::string> requirements{}; // of inputs that are made up: "n <= global_size(0)"
  std::vector<std::string> test_cases{};   // JSON files; none: one case made of `arguments`
  Tolerance tolerance{};

  std::vector<std::string> build_options{}; // for the device's compiler: "-cl-fast-relaxed-math"
  std::vector<std::string> definitions{};   // "NAME" or "NAME=VALUE"
  std::vector<std::string> include_dirs{};  // the source's own folder is searched first
  std::string cl_std{}; // "CL1.2", "CL2.0", "CL3.0"; empty: the compiler's default

  double timeout = 60;  // seconds for each test case
  std::string device{}; // as --device; empty: GPUTEST_DEVICE, else the first

  // Settings of analyses, as options and CMake's keywords name them: {"coverage.branch", "100"},
  // {"mutation.timeout-factor", "20"}. Options override them.
  std::map<std::string, std::string> settings{};
  std::string driver{}; // the gputest command, for devices whose macros differ; also GPUTEST_DRIVER
  std::string simulator{}; // the program of --device simulator; also GPUTEST_SIMULATOR

  std::function<void(const ReferenceCall&)> reference{}; // empty: none
  // Throws what is wrong with what a launch left; empty: none.
  std::function<void(const PropertyCall&)> property{};
};

// Returns the exit code: 0 held, 1 a test failed or a threshold was missed, 2 wrong usage or input,
// 3 internal or device failure, 77 no OpenCL device. Throws nothing.
int harness_main(const KernelDescription& description, int argc, const char* const* argv);

} // namespace gputest
