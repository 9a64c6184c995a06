// For how long each stage of generation kept a processor busy, whatever else the machine had to do.
#pragma once

#include <initializer_list>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace gputest::testgen {

class Busy {
public:
  // In the order in which they first were; seconds.
  using Stages = std::vector<std::pair<std::string, double>>;

  Busy();

  // What was done since the last time was this stage: by this process, by those that it has waited
  // for, and by the processes `alive`, with those that they have waited for.
  void was(const std::string& stage, std::initializer_list<pid_t> alive = {});

  // Some of that, which has no moment of its own, was another stage.
  void was_partly(const std::string& stage, const std::string& other, double seconds);

  const Stages& stages() const { return stages_; }

private:
  double& of(const std::string& stage);

  double known_;
  Stages stages_;
};

} // namespace gputest::testgen
