// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/state.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace gputest::process {
namespace {

constexpr double kMostLimits = 2;
// Seconds. Shorter waits are below the resolution of the system's clock.
constexpr double kWorthWaiting = 0.01;

} // namespace

bool is_stopped(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stream, text);
  // The name, in parentheses, may hold anything.
  const std::size_t end = text.rfind(") ");
  return end != std::string::npos && end + 2 < text.size() && text[end + 2] == 'T';
}

double seconds_without_processor(pid_t process) {
  namespace fs = std::filesystem;
  double own = 0, started = 0;
  std::error_code gone;
  for (const auto& thread :
       fs::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    std::ifstream stream(thread.path() / "schedstat");
    double running = 0, waiting = 0; // nanoseconds
    if (stream >> running >> waiting)
      own = std::max(own, waiting / 1e9);
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;)
      started = std::max(started, seconds_without_processor(child));
  }
  return own + started;
}

std::optional<double> ExtendedLimit::more(pid_t process, double limit, double since) {
  const double waited = seconds_without_processor(process);
  // What a process that has ended had waited is no longer known.
  const double new_since = waited < granted_ ? waited : waited - granted_;
  const double more = std::min({new_since, since, kMostLimits * limit - extended_});
  granted_ = waited;
  extended_ += more;
  if (is_stopped(process) || more < kWorthWaiting)
    return std::nullopt;
  return more;
}

} // namespace gputest::process
