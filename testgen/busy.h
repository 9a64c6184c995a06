// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor time that each stage of generation took. Other load on the machine does not count.
#pragma once

#include <initializer_list>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace gputest::testgen {

class Busy {
public:
  // Name and seconds of each stage, in the order in which stages first appeared.
  using Stages = std::vector<std::pair<std::string, double>>;

  Busy();

  // Adds the time since the last call to `stage`. It counts this process and the processes `alive`,
  // each with the children that it has waited for.
  void was(const std::string& stage, std::initializer_list<pid_t> alive = {});

  // Moves `seconds` from `stage` to `other`, for work that ran within `stage` and has no moment of
  // its own. Moves no more than `stage` has.
  void was_partly(const std::string& stage, const std::string& other, double seconds);

  const Stages& stages() const { return stages_; }

private:
  double& of(const std::string& stage);

  double known_;
  Stages stages_;
};

} // namespace gputest::testgen
