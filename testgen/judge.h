// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the kernel's host program whether launches in the simulator are right by its REFERENCE, its
// PROPERTY and a device (runtime/cases/judged_launch.h).
#pragma once

#include "process/child.h"
#include "process/memory_file.h"
#include "runtime/cases/judged_launch.h"
#include "testgen/goals/deadline.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::testgen {

// The host program ended before it could be asked, after it printed the reason.
class JudgeEnded : public std::runtime_error {
public:
  explicit JudgeEnded(int exit_code)
      : std::runtime_error("error: the host program could not be started to judge launches"),
        exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

private:
  int exit_code_;
};

class Judge {
public:
  struct Launched {
    Input input;
    std::vector<runtime::Bytes> after;
  };

  // Starts the host program, and waits for it. `command`: the program and its arguments. `until`:
  // as for set_deadline(). Throws JudgeEnded, SimulatorFailure and OutOfTime.
  Judge(const Target& target, std::vector<std::string> command, Deadline until = {});
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  const runtime::JudgeGreeting& greeting() const { return greeting_; }

  // Sets when ask() ends at the latest, also while it starts the program again; the default is
  // never.
  void set_deadline(Deadline until) { until_ = until; }

  // Returns a verdict for each launch, in their order. A launch fails if the author's functions end
  // the program with it, or take more than kMostSeconds of processor time. The program is started
  // again whenever it ends. It may have ended because of what an earlier launch did to its memory.
  // So a launch fails only if it ends a new program, which has judged no other launch. `thorough`:
  // the device runs every launch. When the time is over, returns what is there, and throws
  // OutOfTime only if that is nothing.
  std::vector<runtime::Verdict> ask(std::span<const Launched> launches, bool thorough);

  static constexpr double kMostSeconds = 20; // for a launch; on a device by the clock

private:
  // Adds to `all` what it returns, also where it throws OutOfTime.
  void ask(std::span<const Launched> launches, bool thorough, std::vector<runtime::Verdict>& all);
  void start();
  std::optional<process::Ended> try_to_start(); // returns how it ended, if it did
  process::Ended stop();
  enum class Answer { Given, Ended, TooLong };
  Answer wait(double seconds);
  runtime::Verdict loss(runtime::JudgeMemory::Doer doing, const std::string& how) const;

  const Target& target_;
  std::vector<std::string> command_;
  process::MemoryFile file_;
  process::Descriptor socket_;
  process::Child process_;
  Deadline until_{};
  bool is_known_ = false;  // it has been started once
  process::Tries tries_;   // of processes
  std::size_t judged_ = 0; // launches, by this process
  std::unique_ptr<runtime::JudgeMemory> memory_;
  runtime::JudgeGreeting greeting_;
};

// Converts a launch for the host program's machines.
runtime::JudgedLaunch judged_launch(const Target& target, const Judge::Launched& launched);

} // namespace gputest::testgen
