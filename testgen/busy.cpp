// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/busy.h"

#include "testgen/goals/work_clock.h"

#include <algorithm>

namespace gputest::testgen {
Busy::Busy() : known_(processor_seconds_here()) {}

double& Busy::of(const std::string& stage) {
  auto place = std::ranges::find(stages_, stage, &Stages::value_type::first);
  if (place == stages_.end())
    place = stages_.insert(place, {stage, 0});
  return place->second;
}

void Busy::was(const std::string& stage, std::initializer_list<pid_t> alive) {
  double now = processor_seconds_here();
  for (const pid_t process : alive)
    if (process > 0)
      now += processor_seconds(process);
  of(stage) += std::max(0.0, now - known_); // a process that was killed takes the time of children
                                            // that it did not wait for with it
  known_ = std::max(now, known_);
}

void Busy::was_partly(const std::string& stage, const std::string& other, double seconds) {
  const double moved = std::min(seconds, of(stage));
  of(stage) -= moved;
  of(other) += moved;
}

} // namespace gputest::testgen
