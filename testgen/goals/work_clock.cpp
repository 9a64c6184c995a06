// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/goals/work_clock.h"

#include "process/processor_time.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <unistd.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

// Looking at all processes takes some 50 microseconds for each, and more for each thread.
constexpr std::chrono::milliseconds kLook{5}, kLookAtThreads{50};
constexpr int kLookShare = 20; // at most a 20th of the time

// What a thread has waited for a processor: the second number of its schedstat, in nanoseconds.
double queued_seconds(const fs::path& thread) {
  std::ifstream file(thread / "schedstat");
  double ran = 0, queued = 0;
  file >> ran >> queued;
  return queued / 1e9;
}

// Calls `child` for each descendant, and `thread` for each of their threads and of the process's.
void visit(pid_t process, const std::function<void(pid_t)>& child,
           const std::function<void(const fs::path&)>& thread) {
  std::error_code error;
  for (fs::directory_iterator at(fmt::format("/proc/{}/task", process), error), end;
       !error && at != end; at.increment(error)) {
    thread(at->path());
    std::ifstream file(at->path() / "children");
    for (pid_t next = 0; file >> next;) {
      child(next);
      visit(next, child, thread);
    }
  }
}

} // namespace

double processor_seconds_here() {
  return process::processor_seconds_here();
}

// utime, stime, cutime and cstime of /proc/<process>/stat: its fields 14 to 17, the second of which
// is a name in parentheses that may hold anything.
double processor_seconds(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int i = 3; i < 14; ++i)
    fields >> skipped;
  double ticks = 0;
  for (long some = 0, i = 0; i < 4 && fields >> some; ++i)
    ticks += static_cast<double>(some);
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

WorkClock::Family WorkClock::family() const {
  Family all{.worked = processor_seconds_here()};
  visit(
      ::getpid(), [&](pid_t child) { all.worked += processor_seconds(child); },
      [&](const fs::path& thread) {
        if (counts_ == Counts::Time)
          all.queued += queued_seconds(thread);
      });
  return all;
}

WorkClock::WorkClock(Counts counts)
    : counts_(counts), looked_(Clock::now()), next_(looked_ + kLook), family_(family()) {}

double WorkClock::seconds() const {
  const auto now = Clock::now();
  if (now < next_)
    return seconds_;
  const Family later = family();
  // A process that was killed takes the time of children that it did not wait for with it.
  const double worked = later.worked - family_.worked;
  const double past = std::chrono::duration<double>(now - looked_).count();
  double more = std::max(worked, past / kIdle);
  if (counts_ == Counts::Time)
    more = std::min(past, std::max(more, past - std::max(0.0, later.queued - family_.queued)));
  seconds_ += more;
  family_ = later;
  looked_ = now;
  const Clock::duration look = counts_ == Counts::Time ? kLookAtThreads : kLook;
  next_ = now + std::max(look, kLookShare * (Clock::now() - now));
  return seconds_;
}

} // namespace gputest::testgen
