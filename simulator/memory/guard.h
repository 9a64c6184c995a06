// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs code that may crash or never end.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace gputest::simulator {

struct Fault {
  int signal = 0;                    // SIGSEGV, SIGBUS, SIGFPE or SIGILL; SIGPROF: the time limit
  const void* address = nullptr;     // SIGSEGV, SIGBUS: the accessed address
  bool address_known = false;        // false for addresses that no memory can have, which
                                     // processors do not report
  const void* instruction = nullptr; // the instruction at fault
  bool write = false;
  bool stack = false;   // a stack overflow
  bool counted = false; // SIGPROF: the code has ended itself, after as many steps as it may make
  // SIGPROF: what is on top of the stack, among it where the function returns to that ran.
  std::array<const void*, 256> top{};
};

// Calls `run` on this thread for at most `limit` seconds of processor time (0: no limit); a busy
// machine does not shorten it. Returns the fault that ended it, or nullopt. A fault leaves things
// half done, so the process should end soon. To be called on a thread of on_large_stack(), one call
// at a time in a process.
std::optional<Fault> run_guarded(const std::function<void()>& run, double limit);

// Ends the code that run_guarded() runs, in which it is called, as an endless one: with a fault of
// SIGPROF at `instruction`. The same steps end the same code at any load.
[[noreturn]] void end_endless(const void* instruction);

// While it lives, `forgives` is asked about each SIGSEGV of run_guarded()'s code. If it returns
// true, the access is made again. It is called in the signal handler, so it must not allocate
// memory.
class Forgiving {
public:
  explicit Forgiving(std::function<bool(const Fault&)> forgives);
  Forgiving(const Forgiving&) = delete;
  Forgiving& operator=(const Forgiving&) = delete;
  ~Forgiving();

private:
  std::function<bool(const Fault&)> forgives_;
};

// Makes limits in this process limits of wall time. The program that asks for launches also
// measures wall time, and must learn first from here where the kernel is.
void limit_wall_time();

// Keeps run_guarded()'s signal handlers installed in this process between calls, which is faster.
void keep_guarding();

// Calls `run` on a thread with a stack of kStackBytes and a guard page behind it, and waits for it.
constexpr std::size_t kStackBytes = std::size_t{256} << 20;
void on_large_stack(const std::function<void()>& run);
// The stack of the latest of these calls.
std::span<std::byte> running_stack();

} // namespace gputest::simulator
