// Running code that may crash or never end.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace gputest::simulator {

struct Fault {
  int signal = 0;                    // SIGSEGV, SIGBUS, SIGFPE, SIGILL; SIGPROF: the time is over
  const void* address = nullptr;     // of SIGSEGV and SIGBUS: what was accessed
  bool address_known = false;        // processors do not tell those that no memory can have
  const void* instruction = nullptr; // that did it
  bool write = false;
  bool stack = false; // the stack is used up
};

// Calls `run` on this thread, for at most `limit` seconds of a processor (0: any), so that a busy
// machine ends nothing. What a fault leaves half done is not undone: end the process soon. To be
// called on a thread made by on_large_stack(), one at a time in a process.
std::optional<Fault> run_guarded(const std::function<void()>& run, double limit);

// Limits are of wall time from now on, in this process: whoever asks for launches has a clock of
// the kind, and must hear first from here where the kernel is.
void limit_wall_time();

// Signals are run_guarded()'s from now on, in this process: it need not ask for them each time.
void keep_guarding();

// Calls `run` on a thread with a stack of kStackBytes and a page behind it that faults.
constexpr std::size_t kStackBytes = std::size_t{256} << 20;
void on_large_stack(const std::function<void()>& run);

} // namespace gputest::simulator
