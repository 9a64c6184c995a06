// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads machine code into this process.
#pragma once

#include "simulator/checks/checks.h"
#include "simulator/memory/guard.h"
#include "simulator/parallel/workers.h"
#include "templates/simulator/context.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

class LoadedCode {
public:
  // Runs the context's work-group.
  using Group = void (*)(gputest_context*, void* arguments);
  // In interleaved code: runs one work-item to its next stop. `begins`: it has not begun yet.
  using Step = void (*)(gputest_context*, void* arguments, gputest_u64 x, gputest_u64 y,
                        gputest_u64 z, void* frame, int begins);

  // `object`: Code::object of a variant with `checks`. Throws SimulatorFailure.
  LoadedCode(const std::string& object, const std::vector<NativeSymbol>& symbols,
             Checks checks = {});
  ~LoadedCode();
  LoadedCode(LoadedCode&&) noexcept;

  // Plans to replace the code by the object that `better` returns, the same code made with more
  // effort. Optimising takes about `takes` seconds, and begins when the code has run for as long,
  // in other processes for `elsewhere` seconds.
  void replace_after(double takes, double elsewhere, std::function<std::string()> better);
  // Returns for how many seconds the code should still run before it is replaced, in a launch with
  // `limit` seconds (0: no limit). Returns infinity if nothing better can be made, or if making it
  // may take much of the limit, which goes on meanwhile.
  double patience(double limit = 0) const;
  void has_run(double seconds) const; // reduces patience() by that
  // The same by the clock. What this process has waited for a processor does not count, which is
  // known when patience() is over: asking for it takes as long as a small launch.
  void has_launched(double seconds) const;
  // For how many seconds code has run in this process that is still to be replaced. 0 also if it is
  // a small part of the time that the code is to run.
  double run_time() const;
  // Replaces the code if patience() is over. Code that still runs may go on in the old code.
  void replace_if_due(double limit = 0) const;

  // These throw SimulatorFailure if the code has the other kind.
  Group group() const;
  Step step() const;

  const Checks& checks() const { return checks_; }

  // Returns the source place of an instruction; line 0: none. `around`: the place of the nearest
  // instruction that has one and that is at most so many bytes away. Safe only when the kernel has
  // stopped.
  model::CodePlace place_of(const void* instruction, std::uint64_t around = 0) const;

  // Whether the instruction is the code's own, not that of a function which the code calls.
  bool has_code_at(const void* instruction) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Checks checks_;
};

// Running groups at the same time (parallel/workers.h).
struct AtOnce {
  // Returns how many processes may run the launch's groups; 1: groups run one by one. Called when
  // that is worth it: the launch takes about `left` seconds more. None: they run one by one.
  std::function<unsigned(double left)> processes;
  // Called in each fork at its end; and here with what that fork has done. `ends`: its fault is
  // that of the launch.
  std::function<std::string()> tell;
  std::function<void(const RunPart& part, bool ends)> hear;
};

// Calls `run` with the code's function for each of `count` groups, for at most `limit` seconds in
// all (run_guarded()). Code that has run for long is replaced between two groups
// (LoadedCode::replace_after); the limit does not count that time. Returns the fault, if any.
std::optional<Fault> run_groups(const LoadedCode& code, std::size_t count, double limit,
                                const std::function<void(LoadedCode::Group, std::size_t)>& run,
                                const AtOnce& at_once = {});

} // namespace gputest::simulator
