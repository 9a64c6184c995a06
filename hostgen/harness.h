// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates a host program from a kernel's interface and the user's settings.
//
// The program is readable C++: an initialised gputest::KernelDescription
// (runtime/include/gputest/harness.h) and a call of gputest::harness_main.
#pragma once

#include "model/interface.h"
#include "model/settings.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::hostgen {

// Settings that do not fit the kernel. what() is a complete message in compiler style. Exit code 2.
class HarnessError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// gputest::KernelDescription documents the fields. Empty fields are left out of the program. Paths
// are absolute or relative to the working directory. In the program they have the form of
// relative_path, so that its text does not depend on where a project is.
struct HarnessSettings {
  std::filesystem::path executable_dir{};
  std::string name{};     // empty: the kernel's
  std::string kernel{};   // empty: the only one there is
  std::string function{}; // the device function under test; its kernel is gputest_<function>
  std::filesystem::path source{};
  std::filesystem::path kernel_dir{};
  std::filesystem::path user_interface{};
  std::vector<std::size_t> global_size{};   // 1 to 3 numbers
  std::vector<std::size_t> local_size{};    // empty, or as many numbers
  std::vector<std::size_t> global_offset{}; // likewise
  std::size_t shared_memory = 0;            // CUDA: bytes
  std::uint64_t lock_step = 0;              // of so many work-items
  std::vector<std::string> arguments{};     // "name=value" or "name:key=value,…"
  std::vector<std::filesystem::path> test_cases{};
  bool has_case_of_arguments = false; // beside them
  std::filesystem::path reference{};  // a C++ file that the program includes
  std::string reference_function{};   // empty: <kernel>_reference, or <function>_reference
  bool reference_host = false;        // the host's version of `function`, which the program links
  // A kernel as the reference: its file, kernel, folder of interface.json, sizes, "theirs=ours".
  std::filesystem::path reference_source{};
  std::string reference_kernel{};
  std::filesystem::path reference_dir{};
  std::vector<std::string> reference_global_size{}, reference_local_size{}; // expressions
  std::vector<std::string> reference_arguments{};
  std::filesystem::path property{};        // likewise
  std::string property_function{};         // empty: <kernel>_property, or <function>_property
  std::vector<std::string> requirements{}; // expressions that hold for every generated input
  std::optional<double> absolute{}, relative{};
  std::optional<std::uint64_t> ulp{};
  std::vector<std::string> build_options{}, definitions{};
  std::vector<std::filesystem::path> include_dirs{};
  std::string cl_std{};
  std::optional<double> timeout{}; // seconds
  std::string device{};
  // Settings of analyses; files in them are as all paths here.
  std::vector<model::NamedSetting> settings{};
  std::filesystem::path driver{};
  std::filesystem::path simulator{}; // empty: none
};

// Returns the program's text, which depends on the input alone. Throws HarnessError.
std::string generate_harness(const model::Interface& interface, const HarnessSettings& settings);

// Returns the kernel that the settings mean: the named kernel, or the only one. Throws HarnessError
// with a list of the kernels.
const model::KernelInterface& choose_kernel(const model::Interface& interface,
                                            const HarnessSettings& settings);

// Returns `path` as seen from `directory`, through symbolic links, with "/" between folders. It is
// absolute if the two have only the root in common. If the file itself is a link, its own name is
// kept. An empty path stays empty.
std::string relative_path(const std::filesystem::path& path,
                          const std::filesystem::path& directory);

} // namespace gputest::hostgen
