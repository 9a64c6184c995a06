// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ended.h"

#include <cstdio>
#include <cstring>

namespace gputest::process {
namespace {

constexpr int kOfShells = 128; // a shell exits with this and the number of its command's signal

// Returns whether processes raise this signal themselves. Others send the rest.
bool is_raised_by_itself(int signal) {
  switch (signal) {
  case SIGSEGV:
  case SIGABRT:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

} // namespace

std::string signal_name(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

bool Ended::by_others() const {
  if (timed_out || is_unknown)
    return is_unknown;
  if (signal != 0)
    return !is_raised_by_itself(signal);
  return exit_code == kEndedByOthers || exit_code == kOfShells + SIGTERM;
}

std::string Ended::text() const {
  if (timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, "still running after %.3g s", seconds);
    return text;
  }
  if (is_unknown)
    return "ended in a way that is not known";
  return signal != 0 ? "killed by " + signal_name(signal)
                     : "exit code " + std::to_string(exit_code);
}

bool Tries::again(const std::string& how) {
  constexpr const char* kOthers = "by somebody else or for want of memory";
  given_up_.clear();
  if (how.empty()) {
    count_ = 0;
    return false;
  }
  if (++count_ < kTries) {
    std::fprintf(stderr, "note: %s, %s; it begins again\n", how.c_str(), kOthers);
    return true;
  }
  given_up_ = how + ", " + std::to_string(count_) + " times in a row, " + kOthers +
              ": see the system's log (dmesg), and free memory";
  count_ = 0;
  return false;
}

} // namespace gputest::process
