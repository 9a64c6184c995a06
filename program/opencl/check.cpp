// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/check.h"

#include <algorithm>

namespace gputest::program {

std::vector<CheckedLaunch> checked_launches(const RunRecords& records) {
  std::vector<CheckedLaunch> all;
  for (const RecordedSimulation& launch : records.simulated) {
    const auto program = std::ranges::find_if(records.programs, [&](const BuiltSource& built) {
      return built.process == launch.process && built.number == launch.program;
    });
    if (program != records.programs.end())
      all.push_back({.folder = program->folder_of(launch.kernel),
                     .kernel = launch.kernel,
                     .source = program->name,
                     .number = launch.launch,
                     .sizes = launch.sizes,
                     .seconds = launch.seconds,
                     .findings = launch.findings});
  }
  if (!records.of_host.empty())
    all.push_back({.folder = "host",
                   .of_host = true,
                   .kernel = "host",
                   .source = "",
                   .launches = 0,
                   .findings = records.of_host});
  return all;
}

} // namespace gputest::program
