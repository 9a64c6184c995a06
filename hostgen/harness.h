// From a kernel's interface and the user's settings to a host program for it.
//
// The program is readable C++: an initialised gputest::KernelDescription
// (runtime/include/gputest/harness.h) and a call of gputest::harness_main.
#pragma once

#include "model/interface.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::hostgen {

// Settings that do not fit the kernel. what() is complete, in compiler style. Exit code 2.
class HarnessError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// What the fields mean is in gputest::Mutation.
struct MutationSettings {
  std::optional<double> threshold{}; // percent
  std::vector<std::string> operators{};
  std::optional<unsigned> repeat{}, sample{}, seed{};
  std::string since{};
  std::optional<double> timeout_factor{};
  bool all_cases = false;
  std::filesystem::path store{};
};

// What the fields mean is in gputest::Schedules.
struct ScheduleSettings {
  std::optional<unsigned> count{}, repeat{}, seed{};
  std::string strategy{};
};

// What the fields mean is in gputest::KernelDescription; empty ones are left out of the program.
// Paths are absolute or relative to the working directory; in the program they are as relative_path
// says, so that its text does not depend on where a project lies.
struct HarnessSettings {
  std::filesystem::path executable_dir{};
  std::string name{};     // empty: the kernel's
  std::string kernel{};   // empty: the only one there is
  std::string function{}; // of the device function under test; its kernel is gputest_<function>
  std::filesystem::path source{};
  std::filesystem::path kernel_dir{};
  std::filesystem::path user_interface{};
  std::vector<std::size_t> global_size{}; // 1 to 3 numbers
  std::vector<std::size_t> local_size{};  // none, or as many
  std::vector<std::string> arguments{};   // "name=value" or "name:key=value,…"
  std::vector<std::filesystem::path> test_cases{};
  std::filesystem::path reference{}; // a C++ file that is included
  std::string reference_function{};  // empty: <kernel>_reference, or <function>_reference
  std::optional<double> absolute{}, relative{};
  std::optional<std::uint64_t> ulp{};
  std::vector<std::string> build_options{}, definitions{};
  std::vector<std::filesystem::path> include_dirs{};
  std::string cl_std{};
  std::optional<double> timeout{}; // seconds
  std::string device{};
  std::map<std::string, double> thresholds{}; // percent, by criterion
  MutationSettings mutation{};
  ScheduleSettings schedules{};
  std::filesystem::path driver{};
  std::filesystem::path simulator{}; // empty: none
  std::vector<std::string> checks{}; // of --check
  std::optional<std::uint64_t> interleavings{};
};

// The program's text; the same for the same input. Throws HarnessError.
std::string generate_harness(const model::Interface& interface, const HarnessSettings& settings);

// The kernel the settings mean: the named one, or the only one. Throws HarnessError with a list of
// those there are.
const model::KernelInterface& choose_kernel(const model::Interface& interface,
                                            const HarnessSettings& settings);

// `path` as seen from `directory`, through symbolic links, with "/" between folders; absolute where
// the two have nothing but the root in common. The file's own name is kept where that is a link.
// Empty stays empty.
std::string relative_path(const std::filesystem::path& path,
                          const std::filesystem::path& directory);

} // namespace gputest::hostgen
