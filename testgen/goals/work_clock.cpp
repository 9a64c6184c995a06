// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/goals/work_clock.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

// Looking at all processes takes some 50 microseconds for each.
constexpr std::chrono::milliseconds kLook{5};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double of_descendants(pid_t process) {
  double seconds = 0;
  std::error_code error;
  for (fs::directory_iterator thread(fmt::format("/proc/{}/task", process), error), end;
       !error && thread != end; thread.increment(error)) {
    std::ifstream file(thread->path() / "children");
    for (pid_t child = 0; file >> child;)
      seconds += processor_seconds(child) + of_descendants(child);
  }
  return seconds;
}

double of_family() {
  return processor_seconds_here() + of_descendants(::getpid());
}

} // namespace

double processor_seconds_here() {
  double seconds = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(whose, &used);
    seconds += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  }
  return seconds;
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

WorkClock::WorkClock() : looked_(Clock::now()), family_(of_family()) {}

double WorkClock::seconds() const {
  const auto now = Clock::now();
  if (now - looked_ < kLook)
    return seconds_;
  const double family = of_family();
  // A process that was killed takes the time of children that it did not wait for with it.
  seconds_ +=
      std::max(family - family_, std::chrono::duration<double>(now - looked_).count() / kIdle);
  family_ = family;
  looked_ = now;
  return seconds_;
}

} // namespace gputest::testgen
