#include "testgen/busy.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double here() {
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
double of_process(pid_t process) {
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

} // namespace

Busy::Busy() : known_(here()) {}

double& Busy::of(const std::string& stage) {
  auto place = std::ranges::find(stages_, stage, &Stages::value_type::first);
  if (place == stages_.end())
    place = stages_.insert(place, {stage, 0});
  return place->second;
}

void Busy::was(const std::string& stage, std::initializer_list<pid_t> alive) {
  double now = here();
  for (const pid_t process : alive)
    if (process > 0)
      now += of_process(process);
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
