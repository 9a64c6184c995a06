// Schedules of a whole program: it is run once for each order of the work-groups and work-items of
// all its launches. Where it notices, or what it reads back differs, the kernel and the launch that
// do it are looked for by running it with fewer and fewer of them in another order.
#pragma once

#include "model/schedules.h"
#include "program/scheduled_program.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

// The schedules of one kernel. Its only case is the program.
struct KernelSchedules {
  std::string label;                                          // "<source>.<kernel>"
  model::Schedules schedules;                                 // source: of the kernel
  std::vector<std::pair<std::string, model::Schedule>> files; // by finding.file
};

struct ProgramSchedules {
  std::vector<KernelSchedules> kernels; // that are launched, in order of label
  std::vector<NotMeasured> not_measured;
  std::size_t reads = 0, varying = 0; // pieces read back; of these, those that vary by themselves
  std::uint64_t runs = 0;             // of the program
  bool skipped = false;               // the program says that there is no device
};

// Throws BaselineFailed, std::runtime_error.
ProgramSchedules run_schedules(const ScheduleSettings& settings);

// One schedule alone, `repeat` times or until it shows something.
struct Replayed {
  bool skipped = false;
  model::ScheduledCase scheduled;
  std::vector<NotMeasured> not_measured;
};
Replayed replay_schedule(const ScheduleSettings& settings, const model::Schedule& schedule,
                         unsigned repeat);

} // namespace gputest::program
