// What the simulator found in the launches of a program: findings for each kernel of each source.
#pragma once

#include "program/run_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::program {

struct CheckedFinding {
  runtime::SimulatorFinding finding; // as seen first; `count`: in all launches
  std::uint64_t launch = 0;          // that showed it first, of the kernel in its process, from 1
  model::Sizes sizes{};              // of that
  bool leads = true;                 // it is printed (runtime/machine/finding_groups.h)
};

struct KernelChecks {
  std::string folder;                     // "<stem>.<kernel>", different for each
  std::string kernel, source;             // as reports name them
  std::uint64_t launches = 0;             // that ran in the simulator, of all processes
  double seconds = 0;                     // in them
  std::vector<CheckedFinding> findings{}; // of a kind and a pair of lines one
  std::vector<std::string> notes{};       // about those that are not printed
};

// In order of `folder`; kernels that nothing launched in the simulator are left out.
std::vector<KernelChecks> program_checks(const RunRecords& records);

} // namespace gputest::program
