// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
// Each kernel has such a program, so this header includes next to nothing. A program with a
// reference or a property includes gputest/reference.h or gputest/property.h as well.
// docs/reference/command-line.md describes the command line.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace gputest {

class PropertyCall;
class ReferenceCall;

// A value that may be left out.
template <class T> struct Given {
  constexpr Given() = default;
  constexpr Given(T what) : given(true), value(what) {}
  bool given = false;
  T value{};
};

// Describes one kernel and its tests. It refers to texts and lists that must outlive it, such as
// literals. Relative paths are relative to the folder of the executable.
struct KernelDescription {
  using Text = const char*;
  using Texts = std::initializer_list<Text>;
  using Sizes = std::initializer_list<std::size_t>;
  struct Setting {
    Text name, value;
  };
  struct Closeness { // see gputest::Tolerance
    Given<double> absolute{}, relative{};
    Given<unsigned long> ulp{};
  };

  Text name = "";     // the name in gputest_add_kernel(<name> …); it names the results
  Text source = "";   // the author's file
  Text kernel = "";   // the kernel's name; for a device function under test "gputest_<function>"
  Text function = ""; // the device function under test; empty: a kernel is tested

  // The folder of the build's files, to which results are added. It holds interface.json,
  // sites.json and coverage.cl (for a CUDA file coverage.cu, and so on). For a function, it also
  // holds wrapper.cl; for mutation, mutants.cl and mutants.json; for schedules, schedule.cl,
  // guarded.cl and schedule-sites.json.
  Text kernel_dir = "";
  Text user_interface = ""; // an interface.json that the user has edited; empty: none

  Sizes global_size{};   // 1 to 3 numbers
  Sizes local_size{};    // as many; empty: reqd_work_group_size, else the device chooses
  Sizes global_offset{}; // as many, or none

  std::size_t shared_memory = 0; // CUDA: bytes of dynamic __shared__ memory in a block
  unsigned lock_step = 0;        // cases rely on that of so many work-items

  // "name=3.5", "name:size=64,fill=iota", … (docs/reference/gputest_add_kernel.md). Paths of files
  // in it are as all paths here.
  Texts arguments{};
  Texts requirements{}; // for generated inputs: "n <= global_size(0)"
  Texts test_cases{};   // JSON files; empty: one case, made of `arguments`
  // Whether that case runs beside those of `test_cases`, if `arguments` has all that it needs.
  bool has_case_of_arguments = false;
  Closeness tolerance{};

  Texts build_options{}; // for the device's compiler: "-cl-fast-relaxed-math"
  Texts definitions{};   // "NAME" or "NAME=VALUE"
  Texts include_dirs{};  // the source's own folder is searched first
  Text cl_std = "";      // "CL1.2", for CUDA "c++20"; empty: the compiler's default

  double timeout = 60; // seconds for each test case
  Text device = "";    // what --device takes; empty: GPUTEST_DEVICE, else the first device

  // Settings of analyses, as options and CMake's keywords name them: {"coverage.branch", "100"},
  // {"mutation.timeout-factor", "20"}. Options override them.
  std::initializer_list<Setting> settings{};
  // The path of gputest, for devices whose macros differ. GPUTEST_DRIVER overrides it.
  Text driver = "";
  // The path of gputest-simulator, for --device simulator. GPUTEST_SIMULATOR overrides it.
  Text simulator = "";

  // Computes what a launch should leave; nullptr: there is no such function.
  void (*reference)(const ReferenceCall&) = nullptr;
  // A kernel that leaves what a launch should leave; it runs in the simulator, with the same
  // definitions and folders. Not together with `reference`.
  struct OtherKernel {
    Text source = ""; // OpenCL C or CUDA; empty: there is no such kernel
    Text kernel = ""; // empty: the only one of its file
    Text dir = "";    // the folder of its interface.json
    // Expressions over the launch and its arguments: "n", "rows * 64"; empty: those of the launch.
    Texts global_size{}, local_size{};
    Texts arguments{}; // "theirs=ours", where names differ
  };
  OtherKernel reference_kernel{};
  // Throws an exception that says what is wrong with what a launch left; nullptr: no property.
  void (*property)(const PropertyCall&) = nullptr;
};

// Runs the host program. Returns the exit code. 0: all tests held. 1: a test failed, or a threshold
// was missed. 2: wrong usage or input. 3: internal failure, or failure of a device. 77: there is no
// device, and the test is skipped. Throws nothing.
int harness_main(const KernelDescription& description, int argc, const char* const* argv);

} // namespace gputest
