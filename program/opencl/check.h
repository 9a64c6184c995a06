// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts what the simulator found in the launches of a program, by kernel and source.
#pragma once

#include "model/checks/results.h"
#include "program/opencl/run_folder.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

struct LaunchFinding {
  model::Finding finding; // the worst that occurred; `count` is the sum over all launches
  // The number of the first launch that shows it, among those of the kernel in its process, from 1.
  std::uint64_t launch = 0;
  model::Sizes sizes{}; // the sizes of that launch
  bool leads = true;    // whether it is printed (model/checks/finding_groups.h)
};

struct KernelChecks {
  std::string folder;                    // "<stem>.<kernel>", different for each; "host"
  bool of_host = false;                  // the host's code, which has no launches and no source
  std::string kernel, source;            // as reports name them
  std::uint64_t launches = 0;            // launches of all processes that ran in the simulator
  double seconds = 0;                    // the time of these launches
  std::vector<LaunchFinding> findings{}; // one for each kind and pair of lines
  std::vector<std::pair<LaunchFinding, model::SuppressedBy>> suppressed{}; // those accepted
  std::vector<std::string> notes{}; // notes about findings that are not printed
};

// Returns who suppresses a finding of the kernel of that name; nullopt: nobody.
using SuppressedIn = std::function<std::optional<model::SuppressedBy>(const model::Finding&,
                                                                      const std::string& kernel)>;

// Returns the kernels in order of `folder`, without those that had no launch in the simulator.
std::vector<KernelChecks> program_checks(const RunRecords& records,
                                         const SuppressedIn& suppressed = {});

} // namespace gputest::program
