// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/time/share.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

namespace gputest::model {

std::optional<double> shared_seconds(const std::filesystem::path& file, double now) {
  {
    std::ofstream stream(file, std::ios::app | std::ios::ate);
    if (!stream || stream.tellp() == std::ofstream::pos_type(0) || !(stream << "begun\n"))
      return std::nullopt;
  }
  std::ifstream stream(file);
  double end = 0, tests = 0, at_once = 0;
  if (!(stream >> end >> tests >> at_once))
    return std::nullopt;
  double begun = 0;
  for (std::string line; stream >> line;)
    ++begun;
  const double left = end - now, waiting = std::max(1.0, tests - begun + 1);
  return std::max(0.001, left * std::min(1.0, std::max(1.0, at_once) / waiting));
}

std::optional<double> shared_seconds() {
  const char* const file = std::getenv("GPUTEST_TIME_SHARE");
  if (!file || !*file)
    return std::nullopt;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return shared_seconds(file, std::chrono::duration<double>(now).count());
}

} // namespace gputest::model
