// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

std::string schedules_text(const model::Schedules& schedules) {
  std::string text;
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    text += fmt::format("{}:{}:{}: error: {} cannot be remapped: {}\n", entry.file, entry.line,
                        entry.column, entry.construct, entry.reason);
  for (const std::string& note : schedules.notes)
    text += fmt::format("note: {}\n", note);
  if (const std::string left = model::not_run_text(schedules); !left.empty())
    text += fmt::format("{}: {}\n", schedules.name, left);
  const auto held = std::ranges::count_if(
      schedules.cases, [](const model::ScheduledCase& one) { return model::holds(one); });
  return text + fmt::format("{}: {} of {} cases hold under all schedules on {} (strategy {}, {} "
                            "runs of each, seed {})\n",
                            schedules.name, held, schedules.cases.size(), schedules.device,
                            model::strategy_text(schedules.strategy, schedules.count),
                            schedules.repeat, schedules.seed);
}

} // namespace gputest::runtime
