// Asks the kernel's host program whether launches in the simulator are right by its REFERENCE, its
// PROPERTY and a device (runtime/cases/judged_launch.h).
#pragma once

#include "runtime/cases/judged_launch.h"
#include "testgen/inputs/input.h"
#include "testgen/target.h"

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

  // Starts the host program. `command`: the program and its arguments. Throws JudgeEnded and
  // SimulatorFailure.
  Judge(const Target& target, std::vector<std::string> command);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  ~Judge();

  const runtime::JudgeGreeting& greeting() const { return greeting_; }

  // Returns a verdict for each launch, in their order. A launch fails if the author's functions end
  // the program with it, or take longer than kMostSeconds; then the program is started again. So
  // it is if it ends between launches, for example because a function damaged its memory.
  // `thorough`: the device runs every launch.
  std::vector<runtime::Verdict> ask(std::span<const Launched> launches, bool thorough);

  static constexpr double kMostSeconds = 20; // for a launch

private:
  void start();
  void stop();
  std::string end_of_process(); // waits for the end, and returns text such as "was ended by signal
                                // 11 (Segmentation fault)"
  enum class Answer { Given, Ended, TooLong };
  Answer wait(double seconds);
  runtime::Verdict loss(Answer answer);

  const Target& target_;
  std::vector<std::string> command_;
  int file_ = -1, socket_ = -1, process_ = -1;
  bool killed_ = false;       // by another process
  unsigned ends_in_vain_ = 0; // ends in a row without a judged launch
  std::unique_ptr<runtime::JudgeMemory> memory_;
  runtime::JudgeGreeting greeting_;
};

// Converts a launch for the host program's machines.
runtime::JudgedLaunch judged_launch(const Target& target, const Judge::Launched& launched);

} // namespace gputest::testgen
