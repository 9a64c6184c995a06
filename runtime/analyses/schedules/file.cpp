// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/file.h"

namespace gputest::runtime {

namespace fs = std::filesystem;

void keep_schedule(model::Schedule schedule, const fs::path& file) {
  const fs::path folder = file.parent_path();
  schedule.harness = fs::read_symlink("/proc/self/exe").lexically_relative(folder).generic_string();
  fs::create_directories(folder);
  model::write_schedule(schedule, file);
}

} // namespace gputest::runtime
