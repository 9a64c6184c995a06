// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's checks on a program: it runs once, and what they find in its launches is sorted
// by kernel. The engine here is the same for every kind of program.
#pragma once

#include "model/checks/results.h"
#include "model/schedules/schedule.h"
#include "program/not_measured.h"
#include "program/oracle.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::model {
class Suppressions;
} // namespace gputest::model

namespace gputest::program {

class TestedProgram;

// A launch in the simulator, or all launches of a program that does not tell them apart.
struct CheckedLaunch {
  std::string folder;         // of its kernel (KernelChecks::folder)
  bool of_host = false;       // what the host's code did, which is no launch
  std::string kernel, source; // as reports name them
  std::uint64_t launches = 1;
  // Its number, among those of the kernel in its process, from 1; 0: it is not known.
  std::uint64_t number = 0;
  model::Sizes sizes{};
  double seconds = 0;
  std::vector<model::Finding> findings{};
};

struct LaunchFinding {
  model::Finding finding;   // the worst that occurred; `count` is the sum over all launches
  std::uint64_t launch = 0; // the number of the first launch that shows it
  model::Sizes sizes{};     // the sizes of that launch
  bool leads = true;        // whether it is printed (model/checks/finding_groups.h)
};

struct KernelChecks {
  std::string folder;         // "<stem>.<kernel>", different for each; empty: the folder of results
  bool of_host = false;       // the host's code, which has no launches and no source
  std::string kernel, source; // as reports name them
  std::uint64_t launches = 0; // launches of all processes that ran in the simulator
  double seconds = 0;         // the time of these launches
  std::vector<LaunchFinding> findings{};                                   // one for each key
  std::vector<std::pair<LaunchFinding, model::SuppressedBy>> suppressed{}; // those accepted
  std::vector<std::string> notes{}; // notes about findings that are not printed
};

// What a run has recorded.
struct ProgramChecks {
  std::vector<CheckedLaunch> launches{};
  std::vector<NotMeasured> not_measured{};
  std::uint64_t library_calls = 0; // such as of cuBLAS, whose operands are checked
  std::string nothing{};           // why there is no launch, where there is none
  bool skipped = false;            // there is none, because there is no device
};

// Returns who suppresses a finding of the kernel of that name; nullopt: nobody.
using SuppressedIn = std::function<std::optional<model::SuppressedBy>(const model::Finding&,
                                                                      const std::string& kernel)>;
// Returns a key: findings of one kernel with the same key count as one.
using FindingKey = std::function<std::string(const model::Finding&)>;

// Returns the kernels of these launches, in order of `folder`.
std::vector<KernelChecks> sorted_by_kernel(
    const std::vector<CheckedLaunch>& launches, const SuppressedIn& suppressed = {},
    const FindingKey& key = static_cast<std::string (*)(const model::Finding&)>(model::pair_of));

struct CheckRun {
  JudgedRun judged;
  std::vector<KernelChecks> kernels{};
  ProgramChecks recorded{};
  std::vector<std::filesystem::path> files{}; // check.json
  std::uint64_t launches = 0, findings = 0, suppressed = 0;
};

// Runs the program with these checks, or with none. Writes <output>/<folder>/check.json for each
// kernel, and beside it a file for each finding that `gputest replay` can look for. Removes those
// of an earlier run first.
CheckRun run_checks(TestedProgram& program, const std::vector<std::string>& checks,
                    model::Suppressions& suppressions);

// Returns the file for the finding with this index, relative to check.json.
std::string check_replay_file(std::size_t index);

} // namespace gputest::program
