// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of a whole program: the program runs once for each order of the work-groups and
// work-items of all its launches. If it notices, or what it reads back differs, it runs again with
// fewer and fewer kernels and launches in another order, to find those that cause it.
#pragma once

#include "model/schedules/results.h"
#include "program/opencl/scheduled_program.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

// The schedules of one kernel. Its only case is the program.
struct KernelSchedules {
  std::string label;                                          // "<source>.<kernel>"
  model::Schedules schedules;                                 // `source` is that of the kernel
  std::vector<std::pair<std::string, model::Schedule>> files; // the name is finding.file
};

struct ProgramSchedules {
  std::vector<KernelSchedules> kernels; // those that are launched, in order of label
  std::vector<NotMeasured> not_measured;
  // Number of pieces read back, and of those that vary by themselves.
  std::size_t reads = 0, varying = 0;
  std::uint64_t runs = 0; // runs of the program
  bool skipped = false;   // whether the program says that there is no device
};

// Runs the schedules. Throws PlainRunFailed, std::runtime_error.
ProgramSchedules run_schedules(const ScheduleSettings& settings);

// Replays one schedule, `repeat` times or until it shows something.
struct Replayed {
  bool skipped = false;
  model::ScheduledCase scheduled;
  std::vector<NotMeasured> not_measured;
};
Replayed replay_schedule(const ScheduleSettings& settings, const model::Schedule& schedule,
                         unsigned repeat);

} // namespace gputest::program
